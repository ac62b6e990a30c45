using System.Threading.Channels;
using Mux.Contracts;
using Mux.Runtime;
using Mux.Telemetry;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Diagnostics;

public sealed class ContractDifferencesTests
{
    private static readonly MethodDescriptor s_method = new("test.Differences", "First", MethodShape.Unary, takesToken: false);
    private static readonly MethodDescriptor s_other = new("test.Differences", "Other", MethodShape.Unary, takesToken: false);

    [Fact(Timeout = 30_000)]
    public async Task A_stranger_silences_the_report_of_a_method_for_an_hour_at_most()
    {
        var time = new ManualTime();
        var sut = new ContractDifferences(new Clock(time));
        var told = Channel.CreateUnbounded<int>();
        for (int i = 0; i < 100; i++) sut.Tell(s_method, Report);
        Assert.Equal(0, await NextAsync());
        time.Advance(TimeSpan.FromMinutes(59));
        sut.Tell(s_method, Report);
        sut.Tell(s_other, Report);
        Assert.Equal(0, await NextAsync()); // of the other method
        time.Advance(TimeSpan.FromMinutes(1));
        sut.Tell(s_method, Report);
        Assert.Equal(100, await NextAsync());

        void Report(int others) => told.Writer.TryWrite(others);
        Task<int> NextAsync() => told.Reader.ReadAsync(TestContext.Current.CancellationToken).AsTask().Within("a report");
    }
}
