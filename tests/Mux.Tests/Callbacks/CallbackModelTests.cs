using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Callbacks;

/// <summary>Random handlers against a model: what the caller's object sees is a part of what was called, in that order, and all of it if the call succeeds.</summary>
public sealed class CallbackModelTests(ITestOutputHelper output) : CallbackTests
{
    private const int Calls = 300;
    private const int MaxSteps = 40;

    private enum Ending
    {
        Returns,
        Throws,
        CallerCancels,
    }

    [Theory(Timeout = TestLimit)]
    [InlineData(TransportKind.InMemory)]
    [InlineData(TransportKind.Tcp)]
    public async Task Callbacks_run_in_order_none_twice_and_all_of_a_call_that_succeeds(TransportKind kind)
    {
        int seed = int.TryParse(Environment.GetEnvironmentVariable("MUX_TEST_SEED"), out int chosen) ? chosen : Random.Shared.Next();
        output.WriteLine($"seed {seed}; MUX_TEST_SEED={seed} runs it again");
        var random = new Random(seed);
        var sut = Start(Begin(kind));
        for (int call = 0; call < Calls; call++)
        {
            var ending = (Ending)random.Next(3);
            var (script, cancelled) = (new List<string>(), new HashSet<string>());
            var plan = Enumerable.Range(0, random.Next(MaxSteps)).Select(_ => random.Next(5)).ToList();
            var callback = new Progress { OnAsk = YieldingAsync };
            using var cancellation = new CancellationTokenSource();
            Service.OnImport = (_, progress, token) => HandleAsync(plan, ending, progress, script, cancelled, cancellation, token);
            var running = sut.Import("file", callback, cancellationToken: cancellation.Token).AsTask();
            switch (ending)
            {
                case Ending.Returns:
                    Assert.Equal(plan.Count, await running.Within("a call that returns"));
                    var expected = script.Where(step => !cancelled.Contains(step));
                    Assert.Equal(expected, callback.Seen.Where(step => !cancelled.Contains(step)));
                    break;
                case Ending.Throws:
                    Assert.Equal(MuxStatus.Aborted, (await Assert.ThrowsAsync<MuxException>(() => running.Within("a call that fails"))).Status);
                    break;
                case Ending.CallerCancels:
                    await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running.Within("a call that is cancelled"));
                    break;
            }

            AssertPart(script, [.. callback.Seen]);
            Assert.InRange(callback.Most, 0, 1);
        }
    }

    private static async ValueTask<int> HandleAsync(
        List<int> plan, Ending ending, IProgress progress, List<string> script, HashSet<string> cancelled, CancellationTokenSource caller, CancellationToken token)
    {
        var open = new List<Task<string>>();
        for (int i = 0; i < plan.Count; i++)
        {
            var name = plan[i] == 0 ? $"{i}%" : $"question {i}";
            lock (script) script.Add(name);
            switch (plan[i])
            {
                case 0:
                    await progress.Report(i);
                    break;
                case 1:
                    Assert.Equal(name, await progress.Ask(name, token));
                    break;
                case 2:
                    using (var cancellation = new CancellationTokenSource())
                    {
                        cancelled.Add(name);
                        Task asked = progress.Ask(name, cancellation.Token).AsTask();
                        await cancellation.CancelAsync();
                        await asked.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
                    }

                    break;
                default:
                    open.Add(progress.Ask(name, token).AsTask());
                    break;
            }
        }

        if (ending == Ending.Throws) throw new MuxException(MuxStatus.Aborted, "as planned");
        if (ending == Ending.CallerCancels)
        {
            await caller.CancelAsync();
            await EndOf(token);
        }

        await Task.WhenAll(open);
        return plan.Count;
    }

    private static async ValueTask<string> YieldingAsync(string question, CancellationToken cancellationToken)
    {
        await Task.Yield();
        cancellationToken.ThrowIfCancellationRequested();
        return question;
    }

    private static void AssertPart(List<string> script, List<string> seen)
    {
        int next = 0;
        foreach (var step in seen)
        {
            int found = script.IndexOf(step, next);
            Assert.True(found >= 0, $"'{step}' was seen too early, twice, or was never called: {string.Join(", ", seen)} of {string.Join(", ", script)}");
            next = found + 1;
        }
    }
}
