using Microsoft.Extensions.Logging;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;

namespace Mux.Tests.EndToEnd;

/// <summary>A failure is one frame: what does not fit is left out, which its caller cannot see and the log says.</summary>
public sealed class IncompleteFailureTests : EndToEndTests
{
    private readonly ManualTime _time = new();

    [Theory(Timeout = TestLimit)]
    [InlineData(20_000, 0, "detail of 20004 bytes: text, metadata and detail of a failure share 16384 bytes")]
    [InlineData(0, 9_000, "metadata of 1 entries and 9006 bytes, charged 9033: text, metadata and detail of a failure share 16384 bytes, and the caller accepts metadata charged at most 8192 bytes and 64 entries")]
    [InlineData(10_000, 8_000, "metadata of 1 entries and 8006 bytes, charged 8033: text, metadata and detail of a failure share 16384 bytes, and the caller accepts metadata charged at most 8192 bytes and 64 entries")]
    [InlineData(20_000, 9_000, "detail of 20004 bytes and metadata of 1 entries and 9006 bytes, charged 9033: text, metadata and detail of a failure share 16384 bytes, and the caller accepts metadata charged at most 8192 bytes and 64 entries")]
    public async Task What_a_failure_goes_without_is_logged_with_its_size_and_the_limit(int detail, int metadata, string omitted)
    {
        var scene = Begin(TransportKind.InMemory, _time);
        var response = new MuxMetadata();
        var error = await Assert.ThrowsAsync<MuxException>(() => Start(scene).Testify(detail, metadata, options: new MuxCallOptions { ResponseMetadata = response }).AsTask());
        Assert.Equal((MuxStatus.Aborted, "as asked"), (error.Status, error.Message));
        Assert.Equal((detail is > 0 and < 16_000 ? detail : null, 0), ((error.Detail as Evidence)?.Bytes?.Length, response.Count));
        var entry = Assert.Single(await scene.Logs.ReachAsync("FailureIncomplete")); // it may be told after the caller has its answer
        Assert.Equal((LogLevel.Warning, "Mux.Server"), (entry.Level, entry.Category));
        Assert.Equal($"The caller of test.Witness/Testify receives a failure without its {omitted}.", entry.Text);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Metadata_of_a_failure_that_the_handler_did_not_choose_is_logged_too()
    {
        var scene = Begin(TransportKind.InMemory, _time);
        scene.ExpectedErrors.Add("HandlerFailed");
        await Start(scene).Testify(0, 9_000, isDefect: true).AsTask().FailsAsync(MuxStatus.Unknown, MuxExecution.Executed, MuxCallPhase.Handler);
        Assert.Contains("charged 9033", Assert.Single(await scene.Logs.ReachAsync("FailureIncomplete")).Text, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_failure_that_arrives_whole_is_not_logged()
    {
        var scene = Begin(TransportKind.InMemory, _time);
        var response = new MuxMetadata();
        var error = await Assert.ThrowsAsync<MuxException>(() => Start(scene).Testify(8_000, 8_000, options: new MuxCallOptions { ResponseMetadata = response }).AsTask());
        Assert.Equal((8_000, 1), (Assert.IsType<Evidence>(error.Detail).Bytes!.Length, response.Count));
        Assert.Empty(scene.Logs.Of("FailureIncomplete"));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Callers_that_take_too_little_fill_no_log()
    {
        var scene = Begin(TransportKind.InMemory, _time);
        var sut = Start(scene);
        for (int i = 0; i < 10; i++) await FailAsync();
        Assert.Single(await scene.Logs.ReachAsync("FailureIncomplete"));
        _time.Advance(TimeSpan.FromSeconds(1));
        await FailAsync();
        Assert.EndsWith("Suppressed since the last such message: 9.", scene.Logs.Of("FailureIncomplete")[^1].Text, StringComparison.Ordinal);
        Assert.Equal(2, scene.Logs.Of("FailureIncomplete").Count);

        async Task FailAsync() => await sut.Testify(20_000, 0).AsTask().FailsAsync(MuxStatus.Aborted, MuxExecution.Executed, MuxCallPhase.Handler);
    }

    private static IWitness Start(Scene scene) => scene.CreateChannel(scene.StartServer(server => server.AddService<IWitness>(new Witness()))).CreateProxy<IWitness>();

    private sealed class Witness : IWitness
    {
        public ValueTask Testify(int detail, int metadata, bool isDefect, MuxCallOptions? options)
        {
            if (metadata > 0) options!.ResponseMetadata!.Add("k", new byte[metadata]);
            if (isDefect) throw new InvalidOperationException();
            throw new MuxException(MuxStatus.Aborted, "as asked") { Detail = detail == 0 ? null : new Evidence { Bytes = new byte[detail] } };
        }
    }
}
