using Mux.Runtime;

namespace Mux.Core.Tests.Transports.Links;

public sealed class AcceptBackoffTests
{
    [Fact]
    public void Pauses_double_from_50_ms_to_1_s_and_start_again_after_a_success()
    {
        var sut = new AcceptBackoff();
        Assert.Equal([50, 100, 200, 400, 800, 1_000, 1_000], Enumerable.Range(0, 7).Select(_ => sut.Next().TotalMilliseconds));
        sut.Reset();
        Assert.Equal(50, sut.Next().TotalMilliseconds);
    }
}
