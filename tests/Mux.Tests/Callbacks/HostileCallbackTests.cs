using Mux.Engine;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Callbacks;

/// <summary>Peers that break the rules of callbacks: they lose the call, and no more.</summary>
public sealed class HostileCallbackTests : CallbackTests
{
    private const byte NoMessage = 0xFF;

    /// <summary>What a server sends that breaks a rule; an empty array is the end of the stream.</summary>
    private static readonly (string Says, byte[][] Items)[] s_badMessages =
    [
        ("ids must grow", [CallbackBytes.Callback(1, "Advance"), CallbackBytes.Callback(1, "Advance")]),
        ("ids must grow", [CallbackBytes.Callback(9, "Advance"), CallbackBytes.Callback(8, "Advance")]),
        ("the callback 5 was cancelled before it was made", [CallbackBytes.Cancel(5)]),
        ("the callback 0 was cancelled before it was made", [CallbackBytes.Callback(0, "Report", 0, 8, 1), CallbackBytes.Cancel(0)]),
        ("callback message", [[NoMessage, NoMessage]]),
        ("a message followed the result", [CallbackBytes.Result(1), CallbackBytes.Callback(1, "Advance")]),
        ("a message followed the result", [CallbackBytes.Result(1), CallbackBytes.Result(1)]),
        ("it ended without a result", [[]]),
        ("it ended without a result", [CallbackBytes.Callback(0, "Report", 0, 8, 1), []]),
        ("its result could not be decoded", [[0x2A, 2, NoMessage, NoMessage, 0x30, 1], []]),
        ("more than 64 callbacks have no answer", [.. Enumerable.Range(1, 65).Select(static id => CallbackBytes.Callback((byte)id, "Ask", 0, CallbackBytes.Text("?")))]),
    ];

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_server_that_breaks_a_rule_fails_the_call_alone(TransportKind kind)
    {
        var release = new Signal("the release of the callbacks");
        Callback.OnAsk = async (question, _) =>
        {
            await release.WaitAsync();
            return question;
        };
        var scene = Begin(kind);
        using var server = new RawServer(scene, static request =>
        {
            if (request.Number > s_badMessages.Length)
            {
                request.Respond(8, 7);
                return;
            }

            var (_, items) = s_badMessages[request.Number - 1];
            foreach (var item in items.Where(static item => item.Length > 0)) request.SendItem(item);
            if (items[^1].Length == 0) request.Respond();
            else request.Fail(MuxStatus.Cancelled, MuxExecution.Executed); // of a call that the client has abandoned by then
        });
        var sut = scene.CreateChannel(server.Address).CreateProxy<IImports>();
        foreach (var (says, _) in s_badMessages)
        {
            var failure = await Assert.ThrowsAsync<MuxException>(() => ImportAsync(sut));
            Assert.Equal((MuxStatus.Internal, MuxExecution.Executed, MuxCallPhase.Decode), (failure.Status, failure.Execution, failure.Phase));
            Assert.Contains(says, failure.Message, StringComparison.Ordinal);
            Assert.Contains(server.Address.ToString().Split('?')[0], failure.Message, StringComparison.Ordinal);
        }

        Assert.Equal(7, await sut.Echo(7, TestContext.Current.CancellationToken).AsTask().Within("a call after them on the same connection"));
        release.Set();
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task Callbacks_that_the_caller_does_not_have_are_answered_as_Unimplemented(TransportKind kind)
    {
        var scene = Begin(kind);
        RawRequest? call = null;
        using var server = new RawServer(scene, request =>
        {
            call = request;
            request.SendItem(CallbackBytes.Callback(1, "Advance", 1)); // there is no second parameter
            request.SendItem(CallbackBytes.Callback(2, "Nothing"));
            request.SendItem(CallbackBytes.Callback(0, "Nothing")); // it has no answer
            request.SendItem(CallbackBytes.Callback(3, "Ask", 0, NoMessage, NoMessage));
            request.SendItem(CallbackBytes.Callback(4, "Ask", 0, CallbackBytes.Text("you")));
        });
        var import = ImportAsync(scene.CreateChannel(server.Address).CreateProxy<IImports>());
        await server.ItemsArrived.ReachAsync(4);
        var answers = server.Items.Select(static item => item.Body).OrderBy(static body => body[1]).ToList();
        Assert.Equal([0x08, 1, 0x10, (byte)MuxStatus.Unimplemented], answers[0][..4]);
        Assert.Equal([0x08, 2, 0x10, (byte)MuxStatus.Unimplemented], answers[1][..4]);
        Assert.Equal([0x08, 3, 0x10, (byte)MuxStatus.InvalidArgument], answers[2][..4]);
        Assert.Equal(CallbackBytes.Answer(4, CallbackBytes.Text("you!")), answers[3]);
        call!.SendItem(CallbackBytes.Result(5));
        call.Respond();
        Assert.Equal(5, await import);
        scene.ExpectedErrors.Add("ClientContinuationFailed"); // of the callback whose arguments are no message
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_client_that_breaks_a_rule_fails_the_call_alone(TransportKind kind)
    {
        byte[][][] bad =
        [
            [CallbackBytes.Answer(0)],
            [[]], // the answer to no callback, too
            [CallbackBytes.Answer(5)],
            [CallbackBytes.Answer(64, CallbackBytes.Text("no")), CallbackBytes.Answer(64, CallbackBytes.Text("no"))],
            [[NoMessage, NoMessage]],
            [CallbackBytes.Answer(64, NoMessage, NoMessage)],
        ];
        var ended = new Counter("handlers that ended");
        Service.OnImport = async (_, progress, token) =>
        {
            try
            {
                await progress.Ask("?", token);
                await EndOf(token);
            }
            finally
            {
                ended.Add();
            }

            return 1;
        };
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        var server = scene.StartServer(server => server.AddService<IImports>(Service));
        using var sut = new RawCaller(scene, server.Address, "test.Imports/Import");
        for (int i = 0; i < bad.Length; i++)
        {
            await sut.CallAsync(CallbackBytes.Text("file"));
            await sut.ItemsArrived.ReachAsync(i + 1);
            Assert.Equal(CallbackBytes.Callback(64, "Ask", 0, CallbackBytes.Text("?")), sut.Items[i]);
            foreach (var item in bad[i]) sut.SendItem(item);
            await sut.Ends.ReachAsync(i + 1);
            Assert.Equal(MuxStatus.InvalidArgument, sut.Status);
            Assert.Equal(i + 1, ended.Count);
        }

        Assert.False(sut.Closed.IsSet);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_client_that_ends_its_answers_fails_the_callbacks_and_not_the_call(TransportKind kind)
    {
        var failures = new List<MuxException>();
        Service.OnImport = async (_, progress, token) =>
        {
            failures.Add(await Assert.ThrowsAsync<MuxException>(() => progress.Ask("?", token).AsTask()));
            failures.Add(await Assert.ThrowsAsync<MuxException>(() => progress.Advance().AsTask()));
            return 9;
        };
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        var server = scene.StartServer(server => server.AddService<IImports>(Service));
        using var sut = new RawCaller(scene, server.Address, "test.Imports/Import");
        await sut.CallAsync(CallbackBytes.Text("file"));
        await sut.ItemsArrived.ReachAsync(1);
        sut.End();
        await sut.Ends.ReachAsync(1);
        Assert.Equal(MuxStatus.Ok, sut.Status);
        Assert.Equal(CallbackBytes.Result(9), sut.Items[^1]);
        Assert.All(failures, static failure => Assert.Equal(MuxStatus.Unavailable, failure.Status));
    }
}
