using System.Diagnostics;
using Mux.TestSupport.Transports;
using Mux.Tool.Workloads;

namespace Mux.Tool.Tests.Workloads;

public sealed class HandlerWorkTests
{
    [Fact]
    public async Task A_handler_takes_at_least_its_cost_and_says_what_it_took()
    {
        using var sut = new HandlerWork(new HandlerProfile { CostMicroseconds = 200 });
        long from = Stopwatch.GetTimestamp();

        for (int i = 1; i <= 10; i++) await sut.DoAsync(i);

        Assert.True(Stopwatch.GetElapsedTime(from).TotalMicroseconds >= 2_000);
        Assert.Equal(10, sut.Calls);
        Assert.InRange(sut.BusyMicroseconds, 2_000, Stopwatch.GetElapsedTime(from).TotalMicroseconds);
    }

    [Fact]
    public async Task One_worker_runs_one_handler_at_a_time()
    {
        using var sut = new HandlerWork(new HandlerProfile { CostMicroseconds = 500, Workers = 1 });
        long from = Stopwatch.GetTimestamp();

        await Task.WhenAll(Enumerable.Range(1, 20).Select(number => sut.DoAsync(number).AsTask())).Within("20 handlers");

        // Together they take as long as one after another, and the time between two of them is no handler's.
        Assert.True(Stopwatch.GetElapsedTime(from).TotalMicroseconds >= 10_000);
        Assert.InRange(sut.BusyMicroseconds, 10_000, Stopwatch.GetElapsedTime(from).TotalMicroseconds);
    }

    [Fact]
    public async Task A_slow_handler_blocks_for_its_time()
    {
        using var sut = new HandlerWork(new HandlerProfile { SlowShare = 1, SlowMicroseconds = 5_000 });
        long from = Stopwatch.GetTimestamp();

        await sut.DoAsync(1);

        Assert.True(Stopwatch.GetElapsedTime(from).TotalMicroseconds >= 5_000);
    }
}
