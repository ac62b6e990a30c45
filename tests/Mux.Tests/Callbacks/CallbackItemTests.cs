using Mux.Engine;
using Mux.TestSupport.EndToEnd;

namespace Mux.Tests.Callbacks;

/// <summary>Items that PROTOCOL.md section 6.6 allows, and that this implementation never sends: fields are absent, or of another kind of message.</summary>
public sealed class CallbackItemTests : CallbackTests
{
    private const byte NoMessage = 0xFF, Foreign = (byte)'X';

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_caller_reads_the_kind_of_a_message_and_ignores_fields_of_other_kinds(TransportKind kind)
    {
        Callback.OnAsk = static async (question, token) =>
        {
            if (question == "wait") await EndOf(token);
            return question + "!";
        };
        RawRequest? call = null;
        var scene = Begin(kind);
        using var server = new RawServer(scene, request =>
        {
            call = request;
            request.SendItem(); // a one-way callback of no method
            request.SendItem(0x08, 1); // no method, and it is answered
            request.SendItem(CallbackBytes.Callback(2, "Report", 0, 8, 7)); // its contract calls it one-way, its id does not
            request.SendItem(CallbackBytes.Callback(0, "Ask", 0, CallbackBytes.Text("quiet"))); // the reverse
            request.SendItem([.. CallbackBytes.Callback(3, "Ask", 0, CallbackBytes.Text("go")), 0x20, 0, 0x30, 0]); // no cancel and no result
            request.SendItem(CallbackBytes.Callback(4, "Ask", 0, CallbackBytes.Text("wait")));
            request.SendItem(0x08, 4, 0x10, 9, 0x1A, 1, Foreign, 0x20, 1, 0x2A, 1, NoMessage); // a cancel
            request.SendItem(CallbackBytes.Cancel(4));
        });
        var import = ImportAsync(scene.CreateChannel(server.Address).CreateProxy<IImports>());
        await server.ItemsArrived.ReachAsync(4);
        var answers = server.Items.Select(static item => item.Body).OrderBy(static body => body[1]).ToList();
        Assert.Equal([0x08, 1, 0x10, (byte)MuxStatus.Unimplemented], answers[0][..4]);
        Assert.Equal([0x08, 2], answers[1]);
        Assert.Equal(CallbackBytes.Answer(3, CallbackBytes.Text("go!")), answers[2]);
        Assert.Equal([0x08, 4, 0x10, (byte)MuxStatus.Cancelled], answers[3][..4]);
        call!.SendItem(0x08, 9, 0x10, 9, 0x1A, 1, Foreign, 0x20, 1, 0x2A, 2, 8, 5, 0x30, 1); // the result
        call.Respond();
        Assert.Equal(5, await import);
        Assert.Equal(["7%", "quiet", "go"], Callback.Seen.Take(3));
        Assert.Equal(4, server.ItemsArrived.Count);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_handler_ignores_the_result_of_a_failure_and_the_text_of_a_success(TransportKind kind)
    {
        var failures = new List<MuxException>();
        var answer = string.Empty;
        Service.OnImport = async (_, progress, token) =>
        {
            failures.Add(await Assert.ThrowsAsync<MuxException>(() => progress.Ask("1", token).AsTask()));
            answer = await progress.Ask("2", token);
            failures.Add(await Assert.ThrowsAsync<MuxException>(() => progress.Ask("3", token).AsTask()));
            return 9;
        };
        byte[][] answers =
        [
            [0x08, 64, 0x10, (byte)MuxStatus.NotFound, .. Text("no"), 0x22, 1, NoMessage],
            [0x08, 0x80, 1, .. Text("no"), 0x22, 5, .. CallbackBytes.Text("yes"), 0x78, 1], // 15: an unknown field
            [0x08, 0xC0, 1, 0x10, (byte)MuxStatus.Unauthenticated + 1],
        ];
        var scene = Begin(kind);
        scene.ExpectedEnds.Add(CloseReason.ConnectionLost);
        var server = scene.StartServer(server => server.AddService<IImports>(Service));
        using var sut = new RawCaller(scene, server.Address, "test.Imports/Import");
        await sut.CallAsync(CallbackBytes.Text("file"));
        for (int i = 0; i < answers.Length; i++)
        {
            await sut.ItemsArrived.ReachAsync(i + 1);
            sut.SendItem(answers[i]);
        }

        await sut.Ends.ReachAsync(1);
        Assert.Equal(MuxStatus.Ok, sut.Status);
        Assert.Equal(CallbackBytes.Result(9), sut.Items[^1]);
        Assert.Equal("yes", answer);
        Assert.Equal([MuxStatus.NotFound, MuxStatus.Unknown], failures.Select(static failure => failure.Status));
        Assert.Equal("no", failures[0].Message);

        static byte[] Text(string text) => [0x1A, .. CallbackBytes.Text(text)[1..]];
    }
}
