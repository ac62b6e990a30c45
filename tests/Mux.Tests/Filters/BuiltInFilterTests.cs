using Microsoft.Extensions.Logging;
using Mux.Filters;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.Tests.Contracts;

namespace Mux.Tests.Filters;

/// <summary>The filters that come with the runtime.</summary>
public sealed class BuiltInFilterTests : EndToEndTests
{
    private readonly Mixed _service = new();

    [Fact(Timeout = TestLimit)]
    public async Task The_logging_filter_logs_the_end_of_each_call_and_the_exception_of_a_failed_one()
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedErrors.Add("HandlerFailed");
        var sut = FilterScene.Start<IMixed>(scene, _service, [new MuxLoggingFilter(new Logger<MuxLoggingFilter>(scene.Logs))], []);
        await Mixed.CallAsync(sut, "List").Within("List");
        await Assert.ThrowsAsync<MuxException>(() => Mixed.CallAsync(sut, "Ask", "throw"));
        await Assert.ThrowsAsync<MuxException>(() => Mixed.CallAsync(sut, "Ask", "fail"));
        var entries = await scene.Logs.ReachAsync("FilteredCallEnded", 3);
        Assert.Contains("Server call of t.Mixed/List", entries[0].Text, StringComparison.Ordinal);
        Assert.Contains("ended with Ok after", entries[0].Text, StringComparison.Ordinal);
        Assert.EndsWith("3 items sent, 0 received.", entries[0].Text, StringComparison.Ordinal);
        Assert.Equal((LogLevel.Information, 2505), (entries[0].Level, entries[0].Id));
        Assert.Equal(LogLevel.Warning, entries[1].Level);
        Assert.IsType<FormatException>(entries[1].Error);
        Assert.Contains("ended with Aborted", entries[2].Text, StringComparison.Ordinal);
        Assert.Null(entries[2].Error);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_logger_that_throws_harms_no_call()
    {
        var logs = new LogCollector { Throws = true };
        var filter = new MuxLoggingFilter(new Logger<MuxLoggingFilter>(logs));
        var sut = FilterScene.Start<IMixed>(Begin(TransportKind.InMemory), _service, [filter], [filter]);
        Assert.Equal(7, await Mixed.CallAsync(sut, "Ask").Within("the call"));
        Assert.Equal(2, logs.Of("FilteredCallEnded").Count);
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_exception_filter_answers_with_the_status_of_the_closest_class_and_sends_no_message()
    {
        var map = new MuxExceptionMap().Map<Exception>(MuxStatus.Internal).Map<SystemException>(MuxStatus.FailedPrecondition);
        var scene = Begin(TransportKind.InMemory);
        var sut = FilterScene.Start<IMixed>(scene, _service, [new MuxExceptionFilter(map, new Logger<MuxExceptionFilter>(scene.Logs))], []);
        foreach (var shape in Mixed.Answered)
        {
            var error = await Assert.ThrowsAsync<MuxException>(() => Mixed.CallAsync(sut, shape, "throw").Within(shape));
            Assert.Equal((MuxStatus.FailedPrecondition, MuxExecution.Executed), (error.Status, error.Execution)); // FormatException : SystemException
            Assert.Contains("The call failed: FailedPrecondition.", error.Message, StringComparison.Ordinal);
            Assert.DoesNotContain("secret", error.ToString(), StringComparison.Ordinal);
        }

        var entries = await scene.Logs.ReachAsync("ExceptionMapped", Mixed.Answered.Length);
        Assert.IsType<FormatException>(entries[0].Error);
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_exception_filter_answers_as_a_function_says_and_leaves_what_it_does_not_know()
    {
        var map = new MuxExceptionMap().Map<FormatException>(static error => new MuxFailure(MuxStatus.OutOfRange, error.Message.Length.ToString(provider: null)));
        var sut = FilterScene.Start<IMixed>(Begin(TransportKind.InMemory), _service, [new MuxExceptionFilter(map)], []);
        var known = await Assert.ThrowsAsync<MuxException>(() => Mixed.CallAsync(sut, "Ask", "throw"));
        Assert.Equal(MuxStatus.OutOfRange, known.Status);
        var other = await Assert.ThrowsAsync<MuxException>(() => Mixed.CallAsync(sut, "Ask", "fail"));
        Assert.Equal(MuxStatus.Aborted, other.Status);
    }

    [Fact(Timeout = TestLimit)]
    public async Task The_exception_filter_does_not_answer_the_mistake_of_a_filter()
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedErrors.Add("HandlerFailed");
        var map = new MuxExceptionMap().Map<InvalidOperationException>(MuxStatus.FailedPrecondition).Map<TimeoutException>(MuxStatus.DeadlineExceeded);
        var mistaken = new FilterOf(static (call, next) => call.Method.FullName.EndsWith("Ask", StringComparison.Ordinal) ? default
            : new(next.RunAsync(call).AsTask().WaitAsync(TimeSpan.Zero)));
        var sut = FilterScene.Start<IMixed>(scene, _service, [new MuxExceptionFilter(map), mistaken], []);
        var mistake = await Assert.ThrowsAsync<MuxException>(() => Mixed.CallAsync(sut, "Ask").Within("the call"));
        Assert.Equal(MuxStatus.Unknown, mistake.Status);
        var left = await Assert.ThrowsAsync<MuxException>(() => Mixed.CallAsync(sut, "Sum", "gate").Within("a call that its filter does not wait for"));
        Assert.Equal(MuxStatus.DeadlineExceeded, left.Status);
        _service.Gate.SetResult();
    }

    [Theory(Timeout = TestLimit), InlineData(MuxCallSide.Server), InlineData(MuxCallSide.Client)]
    public async Task The_validation_filter_refuses_a_request_and_names_its_members(MuxCallSide side)
    {
        MuxFilter[] filters = [new MuxValidationFilter()];
        var service = new Orders();
        var sut = FilterScene.Start<IOrders>(
            Begin(TransportKind.InMemory), service, side == MuxCallSide.Server ? filters : [], side == MuxCallSide.Client ? filters : []);
        var error = await Assert.ThrowsAsync<MuxException>(() => sut.Place(new() { Quantity = 1000, Name = "no more" }).AsTask().Within("the call"));
        Assert.Equal((MuxStatus.InvalidArgument, MuxExecution.NotExecuted), (error.Status, error.Execution));
        Assert.Contains("The request is not valid: Quantity: 1 to 9", error.Message, StringComparison.Ordinal);
        Assert.Equal(0, service.Placed);
        await sut.Place(new() { Quantity = 3, Name = "enough" }).AsTask().Within("a valid call");
        Assert.Equal(1, service.Placed);
    }

    private sealed class Orders : IOrders
    {
        public int Placed { get; private set; }

        public ValueTask Place(PlacedOrder order)
        {
            Placed++;
            return default;
        }
    }
}
