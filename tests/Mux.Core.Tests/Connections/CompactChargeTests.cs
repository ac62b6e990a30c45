using Mux.Engine;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

public sealed class CompactChargeTests
{
    [Theory]
    [InlineData(0, 0)]
    [InlineData(1, 1_024)]
    [InlineData(10_000, 10_240)]
    [InlineData(4_095 * 1_024, 4_095 * 1_024)]
    [InlineData((4_095 * 1_024) + 1, 4_096 * 1_024)]
    [InlineData(64 << 20, 64 << 20)]
    [InlineData((64 << 20) + 1, (64 << 20) + (32 << 10))]
    [InlineData(int.MaxValue, 1L << 31)]
    public void A_charge_is_rounded_up_to_what_two_bytes_can_hold(long bytes, long charged) => Assert.Equal(charged, CompactCharge.Of(bytes).Bytes);

    [Fact]
    public void A_charge_is_never_too_low_and_at_most_a_thousandth_and_a_unit_too_high() => Seeds.ForEach(30, seed =>
    {
        var random = new Random(seed);
        for (int i = 0; i < 10_000; i++)
        {
            long bytes = random.NextInt64(1L << random.Next(1, 37));
            long charged = CompactCharge.Of(bytes).Bytes;
            Assert.InRange(charged, bytes, bytes + 1_024 + (bytes / 1_000));
        }
    });

    [Fact]
    public void A_charge_is_taken_once()
    {
        var charge = CompactCharge.Of(100_000_000);
        Assert.InRange(CompactCharge.Take(ref charge), 100_000_000, 100_100_000);
        Assert.True(charge.IsNone);
        Assert.Equal(0, CompactCharge.Take(ref charge));
    }
}
