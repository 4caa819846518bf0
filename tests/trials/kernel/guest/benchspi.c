// SPDX-License-Identifier: GPL-2.0
/*
 * SPI controller of the kernel trial, with the lamp board at chip select 0: a chain of 74HC595 whose last QH'
 * is MISO. It shifts bit by bit in mode 0, takes the time of its bits at the clock that was asked for, and
 * latches when chip select rises. Parameters under /sys/module/benchspi/parameters are its faults and outputs.
 */
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/spi/spi.h>

#define MAX_REGISTERS 32

static int registers = 11;
module_param(registers, int, 0644);
MODULE_PARM_DESC(registers, "registers that are fitted");
static int flipped = -1;
module_param(flipped, int, 0644);
MODULE_PARM_DESC(flipped, "bit of each transfer that arrives inverted, -1: none");
static int stuck = -1;
module_param(stuck, int, 0644);
MODULE_PARM_DESC(stuck, "level of MISO, -1: the chain's");
static int edge = -1;
module_param(edge, int, 0644);
MODULE_PARM_DESC(edge, "bit of the next transfer after which SRCLK has one edge more, -1: none");
static int transfers;
module_param(transfers, int, 0444);
static int hertz;
module_param(hertz, int, 0444);
static int mode;
module_param(mode, int, 0444);

static u8 stages[MAX_REGISTERS];
static u8 outputs[MAX_REGISTERS];

static int get_outputs(char *text, const struct kernel_param *kp)
{
	return sysfs_emit(text, "%*phN\n", registers, outputs);
}

static const struct kernel_param_ops outputs_ops = { .get = get_outputs };
module_param_cb(outputs, &outputs_ops, NULL, 0444);
MODULE_PARM_DESC(outputs, "latched bytes, the register farthest from the controller first");

/* stages[0] is the register farthest from the controller; its bit 7 is QH, which goes out at MISO. */
static int clock_bit(int bit)
{
	int out = stages[0] >> 7 & 1;
	int at;

	for (at = 0; at < registers - 1; at++)
		stages[at] = stages[at] << 1 | stages[at + 1] >> 7;
	stages[registers - 1] = stages[registers - 1] << 1 | bit;
	return out;
}

static u8 shift_byte(u8 sent, int first)
{
	u8 came = 0;
	int at;

	for (at = 0; at < 8; at++) {
		int bit = (sent >> (7 - at) & 1) ^ (first + at == flipped);
		int out = clock_bit(bit);

		if (first + at == edge) {
			clock_bit(bit);
			edge = -1;
		}
		came = came << 1 | (stuck < 0 ? out : stuck);
	}
	return came;
}

static int bench_transfer_one(struct spi_controller *host, struct spi_device *device,
			      struct spi_transfer *transfer)
{
	const u8 *out = transfer->tx_buf;
	u8 *in = transfer->rx_buf;
	unsigned int at;

	if (transfer->bits_per_word != 8)
		return -EINVAL;
	hertz = transfer->speed_hz;
	mode = device->mode & (SPI_CPOL | SPI_CPHA);
	for (at = 0; at < transfer->len; at++) {
		u8 came = shift_byte(out ? out[at] : 0, 8 * at);

		if (in)
			in[at] = came;
	}
	ndelay(8000000000ULL * transfer->len / hertz);
	transfers++;
	return 0;
}

static void bench_set_cs(struct spi_device *device, bool high)
{
	if (high)
		memcpy(outputs, stages, sizeof(outputs));
}

static struct platform_device *board;
static struct spi_controller *host;

static int __init bench_init(void)
{
	struct spi_board_info lamps = { .modalias = "dh2228fv", .max_speed_hz = 10000000 };
	int result;

	get_random_bytes(stages, sizeof(stages));
	memcpy(outputs, stages, sizeof(outputs));
	board = platform_device_register_simple("benchspi", PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(board))
		return PTR_ERR(board);
	host = spi_alloc_master(&board->dev, 0);
	if (!host)
		return -ENOMEM;
	host->bus_num = 0;
	host->num_chipselect = 1;
	host->mode_bits = SPI_CPOL | SPI_CPHA;
	host->transfer_one = bench_transfer_one;
	host->set_cs = bench_set_cs;
	result = spi_register_controller(host);
	if (result)
		return result;
	return spi_new_device(host, &lamps) ? 0 : -ENODEV;
}

module_init(bench_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("SPI controller with a simulated lamp board");
