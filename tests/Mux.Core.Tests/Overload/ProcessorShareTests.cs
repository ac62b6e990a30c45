using Mux.Engine;

namespace Mux.Core.Tests.Overload;

public sealed class ProcessorShareTests
{
    [Fact]
    public void The_share_is_that_of_all_processors_since_the_last_time()
    {
        var sut = new ProcessorShare(processors: 2);

        Assert.Equal(0, sut.Of(1_000_000, 700_000)); // the process has run for longer
        Assert.Equal(250, sut.Of(1_100_000, 750_000));
        Assert.Equal(1_000, sut.Of(1_200_000, 960_000)); // measured a moment apart
        Assert.Equal(0, sut.Of(1_200_000, 970_000));
    }
}
