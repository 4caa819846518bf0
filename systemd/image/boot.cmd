# U-Boot runs this from the firmware's partition. Of two systems, A and B, it starts the one that is good, or for as
# many tries as are left the one that an update has just written. That stands in the first sector of the
# partition `slots`, as a U-Boot environment: one sector is written whole or not at all, and only while
# something is on trial. /usr/lib/crisscross/slots writes it from the running system.
setenv good A; setenv trying -; setenv left 0
if test "${soc}" = bcm283x; then # a Pi; its own addresses leave a kernel 38 MB
    setenv kernel_addr_r 0x08000000; setenv ramdisk_addr_r 0x0c000000; setenv console tty1
else # QEMU's board has no screen
    setenv console ttyAMA0
fi
setenv state ${ramdisk_addr_r}
part start ${devtype} ${devnum} 2 sector
if ${devtype} read ${state} ${sector} 1; then env import -c ${state} 0x200 good trying left; fi

setenv slot ${good}; setenv trial
if test "${trying}" != -; then
    if test ${left} -gt 0; then setexpr left ${left} - 1; setenv slot ${trying}; setenv trial crisscross.trial
    else setenv trying -; fi
    env export -c -s 0x200 ${state} good trying left
    if ${devtype} write ${state} ${sector} 1; then true; else setenv slot ${good}; setenv trial; fi
fi
if test "${slot}" = B; then setenv letter b; setenv kernel 5; else setenv letter a; setenv kernel 3; fi

echo "crisscross: system ${slot} ${trial}"
setenv bootargs console=${console} root=PARTLABEL=root_${letter} rootfstype=squashfs ro rootwait panic=10 net.ifnames=0 quiet rauc.slot=${slot} ${trial}
if load ${devtype} ${devnum}:${kernel} ${kernel_addr_r} vmlinuz; then
    if load ${devtype} ${devnum}:${kernel} ${ramdisk_addr_r} initrd.img; then
        booti ${kernel_addr_r} ${ramdisk_addr_r}:${filesize} ${fdt_addr}
    fi
fi
reset
