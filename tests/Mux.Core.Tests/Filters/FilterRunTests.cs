using Mux.Calls;
using Mux.Filters;
using Mux.Runtime;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Filters;

/// <summary>Filters that run one inside the other, and what becomes of their call.</summary>
public sealed class FilterRunTests
{
    private const int Rounds = 20_000;

    private enum Deed
    {
        Pass,
        ThrowBefore,
        ThrowAfter,
        Answer,
        AnswerAfter,
        FailBefore,
        FailAfter,
        Swallow,
        RunTwice,
        DoNothing,
    }

    [Fact(Timeout = 60_000)]
    public async Task Calls_with_random_filters_have_the_outcome_of_the_model_also_in_an_object_that_is_reused()
    {
        var random = new Random(TestSeed.Next());
        var run = new RunOf();
        for (int round = 0; round < Rounds; round++)
        {
            var deeds = Enumerable.Range(0, random.Next(1, 5)).Select(_ => random.GetItems(Enum.GetValues<Deed>(), 1)[0]).ToArray();
            bool fails = random.Next(4) == 0, isLate = random.Next(4) == 0;
            run.Handler = fails ? () => throw new FormatException("handler") : isLate ? LateAsync : static () => new(100);
            var plan = new FilterPlan([.. deeds.Select((deed, at) => new DoingFilter(deed, at, isAsync: random.Next(4) == 0))], null, Clock.Shared);
            await run.RunAsync(plan);
            Assert.Equal($"{string.Join(' ', deeds)}: {Expect(deeds, 0, fails, out _)}", $"{string.Join(' ', deeds)}: {Describe(run)}");
            Assert.True(run.IsWhole);
            run.Recycle();
        }
    }

    [Fact(Timeout = 60_000)]
    public async Task An_object_whose_filter_left_something_running_is_not_reused()
    {
        var gate = new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously);
        var run = new RunOf { Handler = () => new(gate.Task) };
        Task? left = null;
        await run.RunAsync(new FilterPlan([new RelayedFilter((call, next) =>
        {
            left = next.RunAsync(call).AsTask();
            return default;
        })], null, Clock.Shared));
        Assert.False(run.IsWhole);
        gate.SetResult(100);
        await left!.WaitAsync(TimeSpan.FromSeconds(30), TestContext.Current.CancellationToken);
        Assert.IsType<FilterMistake>(run.Exception);
        Assert.False(run.HasResponse);
    }

    [Fact(Timeout = 60_000)]
    public async Task What_follows_runs_once_whichever_of_many_threads_is_first()
    {
        int handled = 0;
        for (int round = 0; round < 200; round++)
        {
            var run = new RunOf { Handler = () => new(Interlocked.Increment(ref handled)) };
            int refused = 0;
            await run.RunAsync(new FilterPlan([new RelayedFilter(async (call, next) =>
            {
                using var start = new Barrier(4);
                await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Run(async () =>
                {
                    start.SignalAndWait();
                    try
                    {
                        await next.RunAsync(call);
                    }
                    catch (InvalidOperationException)
                    {
                        Interlocked.Increment(ref refused);
                    }
                })));
            })], null, Clock.Shared));
            Assert.Equal((round + 1, 3), (handled, refused));
            Assert.True(run.HasResponse);
        }
    }

    [Fact]
    public async Task The_time_is_not_measured_for_filters_that_do_not_read_it()
    {
        var run = new RunOf();
        Exception? thrown = null;
        await run.RunAsync(new FilterPlan([new UntimedFilter(call => thrown = Record.Exception(() => call.Elapsed))], null, Clock.Shared));
        Assert.Contains("ReadsElapsed is false for all", Assert.IsType<InvalidOperationException>(thrown).Message, StringComparison.Ordinal);
    }

    private static async ValueTask<int> LateAsync()
    {
        await Task.Yield();
        return 100;
    }

    /// <summary>The outcome of the filters from a position on.</summary>
    private static string Expect(Deed[] deeds, int at, bool handlerFails, out bool throws)
    {
        if (at == deeds.Length)
        {
            throws = handlerFails;
            return handlerFails ? "threw handler" : "replied 100";
        }

        throws = deeds[at] is Deed.ThrowBefore or Deed.DoNothing;
        switch (deeds[at])
        {
            case Deed.ThrowBefore:
                return $"threw before {at}";
            case Deed.Answer:
                return $"replied {at}";
            case Deed.FailBefore:
                return $"failed {at}";
            case Deed.DoNothing:
                return "threw neither";
        }

        var inner = Expect(deeds, at + 1, handlerFails, out throws);
        if (deeds[at] == Deed.Swallow) throws = false;
        if (throws || deeds[at] is Deed.Pass or Deed.Swallow) return inner;
        throws = deeds[at] is Deed.ThrowAfter or Deed.RunTwice;
        return deeds[at] switch
        {
            Deed.ThrowAfter => $"threw after {at}",
            Deed.AnswerAfter => $"replied {at}",
            Deed.FailAfter => $"failed {at}",
            _ => "threw twice",
        };
    }

    private static string Describe(RunOf run)
    {
        if (run.HasResponse) return $"replied {run.Response}";
        if (run.Failure is { } failure) return $"failed {failure.Message}";
        return run.Exception switch
        {
            InvalidOperationException error when error.Message.Contains("second time", StringComparison.Ordinal) => "threw twice",
            InvalidOperationException error when error.Message.Contains("neither ran", StringComparison.Ordinal) => "threw neither",
            { } error => $"threw {error.Message}",
            null => "nothing",
        };
    }

    private sealed class DoingFilter(Deed deed, int at, bool isAsync) : MuxFilter
    {
        public override async ValueTask RunAsync(MuxCall call, MuxNext next)
        {
            if (isAsync) await Task.Yield();
            switch (deed)
            {
                case Deed.ThrowBefore:
                    throw new FormatException($"before {at}");
                case Deed.Answer:
                    call.SetResponse(at);
                    return;
                case Deed.FailBefore:
                    call.Fail(MuxStatus.Aborted, $"{at}");
                    return;
                case Deed.DoNothing:
                    return;
                case Deed.Swallow:
                    await Record.ExceptionAsync(() => next.RunAsync(call).AsTask());
                    return;
            }

            await next.RunAsync(call);
            switch (deed)
            {
                case Deed.ThrowAfter:
                    throw new FormatException($"after {at}");
                case Deed.AnswerAfter:
                    call.SetResponse(at);
                    break;
                case Deed.FailAfter:
                    call.Fail(MuxStatus.Aborted, $"{at}");
                    break;
                case Deed.RunTwice:
                    await next.RunAsync(call);
                    break;
            }
        }
    }

    private sealed class RelayedFilter(Func<MuxCall, MuxNext, ValueTask> run) : MuxFilter
    {
        public override ValueTask RunAsync(MuxCall call, MuxNext next) => run(call, next);
    }

    private sealed class UntimedFilter(Action<MuxCall> look) : MuxFilter
    {
        public override bool ReadsElapsed => false;

        public override ValueTask RunAsync(MuxCall call, MuxNext next)
        {
            look(call);
            return next.RunAsync(call);
        }
    }
}
