using System.Diagnostics;
using Mux.Tests.Contracts;

namespace Mux.Tests.Allocation;

/// <summary>What a call allocates at both sides together: its messages, and not a byte more.</summary>
public sealed class CallAllocationTests
{
    private const int Calls = 1000;
    private const int MaxBatches = 200;

    private static readonly Point s_point = new(3, 4);
    private static object? s_kept; // what was made is not optimized away

    [Fact]
    public void A_call_without_arguments_and_result_allocates_nothing()
    {
        using var both = new OneThread();
        Assert.Equal(0, Measure(() => both.Finish(both.Proxy.Empty())));
        Assert.InRange(both.Served, Calls, long.MaxValue);
    }

    [Fact]
    public void Calls_with_values_allocate_nothing()
    {
        using var both = new OneThread();
        Assert.Equal(0, Measure(() => AssertIs(7, both.Finish(both.Proxy.Number(7)))));
        Assert.Equal(0, Measure(() => AssertIs(s_point, both.Finish(both.Proxy.Struct(s_point)))));
        Assert.Equal(0, Measure(() => AssertIs(new Point(4, 3), both.Finish(both.Proxy.Several(1, s_point, 2.5, turned: true)))));
    }

    [Fact]
    public void Messages_are_all_that_a_call_with_messages_allocates()
    {
        using var both = new OneThread();
        var question = new Question { Id = 1 };
        long messages = Measure(static () =>
        {
            s_kept = new Question();
            s_kept = new Answer();
        });
        Assert.Equal(messages, Measure(() => AssertIs(1, both.Finish(both.Proxy.Message(question)).Id), atLeast: messages));
    }

    [Fact]
    public void A_deadline_allocates_nothing()
    {
        using var both = new OneThread(SetDeadline);
        Assert.Equal(0, Measure(() => AssertIs(s_point, both.Finish(both.Proxy.Struct(s_point)))));
    }

    [Fact]
    public void A_deadline_that_calls_of_the_handler_would_inherit_allocates_what_carries_it()
    {
        using var both = new OneThread(options => options.CallTimeout = TimeSpan.FromMinutes(1));
        Assert.InRange(Measure(() => AssertIs(s_point, both.Finish(both.Proxy.Struct(s_point)))), Calls, Calls * 200);
    }

    [Fact]
    public void A_token_that_can_be_cancelled_allocates_nothing()
    {
        using var both = new OneThread();
        using var cancellation = new CancellationTokenSource();
        Assert.Equal(0, Measure(() => AssertIs(s_point, both.Finish(both.Proxy.WithToken(s_point, cancellation.Token)))));
    }

    [Fact]
    public void A_deadline_and_a_token_together_allocate_nothing()
    {
        using var both = new OneThread(SetDeadline);
        using var cancellation = new CancellationTokenSource();
        Assert.Equal(0, Measure(() => AssertIs(s_point, both.Finish(both.Proxy.WithToken(s_point, cancellation.Token)))));
    }

    [Fact]
    public void A_one_way_call_allocates_nothing()
    {
        using var both = new OneThread();
        both.Finish(both.Proxy.Empty()); // on a connection that is open, it is taken at once
        Assert.Equal(0, Measure(() => both.Send(both.Proxy.Tell(s_point))));
        Assert.InRange(both.Served, Calls, long.MaxValue);
    }

    [Fact]
    public void Filters_of_a_server_that_do_not_await_allocate_nothing()
    {
        using var both = new OneThread(configureServer: AddFilters);
        Assert.Equal(0, Measure(() => both.Finish(both.Proxy.Empty())));
        Assert.Equal(0, Measure(() => AssertIs(s_point, both.Finish(both.Proxy.Struct(s_point)))));
        Assert.Equal(0, Measure(() => both.Send(both.Proxy.Tell(s_point))));
        Action answer = () => both.Service.Later.Set(s_point);
        Assert.Equal(0, Measure(() => AssertIs(s_point, both.Finish(both.Proxy.Later(s_point), answer))));
    }

    [Fact]
    public void Filters_of_a_channel_that_do_not_await_allocate_nothing()
    {
        using var both = new OneThread(AddFilters);
        Assert.Equal(0, Measure(() => AssertIs(s_point, both.Finish(both.Proxy.Struct(s_point)))));
        Assert.Equal(0, Measure(() => both.Finish(both.Proxy.Empty())));
    }

    [Fact]
    public void A_handler_that_answers_later_costs_nothing_more()
    {
        using var both = new OneThread();
        Action answer = () => both.Service.Later.Set(s_point);
        Assert.Equal(0, Measure(() => AssertIs(s_point, both.Finish(both.Proxy.Later(s_point), answer))));
    }

    [Fact]
    public void An_async_handler_costs_what_its_async_method_costs_without_a_call()
    {
        using var both = new OneThread();
        both.Service.IsAsync = true;
        Action answer = () => both.Service.Later.Set(s_point);
        long method = Measure(() => AssertIs(s_point, both.Finish(both.Service.AnswerAsync(), answer)));
        long call = Measure(() => AssertIs(s_point, both.Finish(both.Proxy.Later(s_point), answer)), atLeast: method);
        TestContext.Current.TestOutputHelper?.WriteLine($"An async handler that waits: {call / (double)Calls:F1} B per call, all of them its own.");
        Assert.Equal(method, call);
    }

    [Fact]
    public void A_call_without_a_trace_allocates_nothing_though_there_were_activities()
    {
        using var both = new OneThread();
        using (new Activity("of somebody else").Start()) Assert.NotNull(Activity.Current); // from here on every call looks for one
        Assert.Equal(0, Measure(() => AssertIs(s_point, both.Finish(both.Proxy.Struct(s_point)))));
    }

    [Fact]
    public void A_single_object_per_call_would_be_seen()
    {
        using var both = new OneThread();
        both.Service.Wastes = true;
        long objects = Measure(static () => s_kept = new object());
        Assert.InRange(objects, Calls, long.MaxValue);
        Assert.Equal(objects, Measure(() => AssertIs(7, both.Finish(both.Proxy.Number(7))), atLeast: objects));
    }

    /// <summary>
    /// Bytes that a batch of calls allocates on this thread once nothing is new any more: the least of many batches, since code that is not optimized yet makes
    /// objects that are none later, and a garbage collection may empty the pools of arrays.
    /// </summary>
    /// <param name="call">Makes one call.</param>
    /// <param name="atLeast">What there is nothing less than: a batch with no more is the last one.</param>
    private static long Measure(Action call, long atLeast = 0)
    {
        long least = long.MaxValue;
        for (int batch = 0; batch < MaxBatches && least > atLeast; batch++)
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < Calls; i++) call();
            least = Math.Min(least, GC.GetAllocatedBytesForCurrentThread() - before);
        }

        return least;
    }

    private static void AddFilters(MuxOptions options)
    {
        options.Filters.Add(new LookingFilter());
        options.Filters.Add(new LookingFilter());
    }

    private static void AssertIs<T>(T expected, T actual)
        where T : struct, IEquatable<T>
    {
        if (!expected.Equals(actual)) throw new InvalidOperationException($"Expected {expected}, not {actual}.");
    }

    /// <summary>The channel is in the process of the handlers, which keep deadlines for no other.</summary>
    private static void SetDeadline(MuxChannelOptions options)
    {
        options.CallTimeout = TimeSpan.FromMinutes(1);
        options.InheritDeadlines = false;
    }
}
