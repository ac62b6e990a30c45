using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;
using Mux.TestSupport.Time;

namespace Mux.Core.Tests.Wire;

/// <summary>Whole connections against bytes written by hand: what real connections send and take.</summary>
public sealed class CallVectorTests
{
    private const string File = "employee-call.hex";
    private static readonly MethodDescriptor s_search = new("hr.Directory", "Search", MethodShape.Unary, takesToken: false);

    private static readonly byte[] s_dialingHello = HexFile.Read(File, "dialing side: preface and HELLO");
    private static readonly byte[] s_acceptingHello = HexFile.Read(File, "accepting side: preface and HELLO");
    private static readonly byte[] s_define = HexFile.Read(File, "dialing side: DEFINE");
    private static readonly byte[] s_request = HexFile.Read(File, "dialing side: REQUEST");
    private static readonly byte[] s_response = HexFile.Read(File, "accepting side: RESPONSE");
    private static readonly byte[] s_requestBody = s_request[(FrameHeader.Size + RequestHead.MinLength)..];
    private static readonly byte[] s_responseBody = s_response[FrameHeader.Size..];

    [Fact]
    public void An_employee_call_takes_23_and_57_bytes()
    {
        Assert.Equal((11, 23), (s_requestBody.Length, s_request.Length));
        Assert.Equal((49, 57), (s_responseBody.Length, s_response.Length));
        Assert.Equal(80, s_request.Length + s_response.Length);
    }

    [Fact]
    public void The_dialing_side_sends_exactly_these_bytes_and_takes_the_others()
    {
        var peer = new ScriptedPeer(accepting: false);
        Assert.Equal(s_dialingHello, peer.Link.Sent);
        peer.Send(s_acceptingHello);

        var call = peer.Call(s_search, s_requestBody);
        Assert.Equal([.. s_dialingHello, .. s_define, .. s_request], peer.Link.Sent);
        peer.Send(s_response);

        Assert.Equal(s_responseBody, call.Response);
    }

    [Fact]
    public void The_accepting_side_sends_exactly_these_bytes_and_takes_the_others()
    {
        var peer = new ScriptedPeer(accepting: true);
        var method = peer.Methods.Add("hr.Directory/Search");
        method.Handler = _ => s_responseBody;

        peer.Send([.. s_dialingHello, .. s_define, .. s_request]);

        Assert.Equal(s_requestBody, Assert.Single(method.Bodies));
        Assert.Equal([.. s_acceptingHello, .. s_response], peer.Link.Sent);
    }

    /// <summary>The accepting side alone: the implementation sends no fragments this short.</summary>
    [Fact]
    public void The_accepting_side_takes_fragments_streams_and_a_drain_and_answers_with_exactly_these_bytes()
    {
        var peer = ScriptedPeer.Open(accepting: true);
        var search = peer.Methods.Add("hr.Directory/Search");
        var watch = peer.Methods.Add("hr.Directory/Watch", MethodShape.Duplex);
        byte[] sent = [.. peer.Link.Sent];

        Play("a request in fragments");
        Assert.Equal(s_requestBody, Assert.Single(search.Bodies));
        search.Pending[0].Reply(Expect("its reply").AsSpan(FrameHeader.Size));
        AssertSent();

        Play("a stream");
        Assert.Equal([[0x08, 0x07], [0x08, 0x08]], watch.Items[0].Bodies);
        Assert.Equal([64, 128], watch.Items[0].Costs);
        foreach (byte[] item in watch.Items[0].Bodies) Assert.True(ProbeStreamCall.Send(watch.Pending[0].Stream!.Responses!, item));
        Expect("its items");
        AssertSent();

        Play("credit and the end of the stream");
        Assert.True(watch.Items[0].IsEnded);
        watch.Pending[0].Reply([]);
        Expect("the end of the call");
        AssertSent();

        Play("a request that fails");
        search.Pending[1].Fail(MuxStatus.NotFound, MuxExecution.Executed, "no employee");
        Expect("the failure");
        AssertSent();

        Play("GOAWAY");
        Expect("the acknowledgement");
        AssertSent();
        Assert.Null(peer.Owner.End);

        void Play(string section) => peer.Send(HexFile.Read("stream-call.hex", $"dialing side: {section}"));

        byte[] Expect(string section)
        {
            var bytes = HexFile.Read("stream-call.hex", $"accepting side: {section}");
            sent = [.. sent, .. bytes];
            return bytes;
        }

        void AssertSent() => Assert.Equal(sent, peer.Link.Sent);
    }

    [Fact]
    public void Versions_that_do_not_meet_part_like_this()
    {
        var peer = new ScriptedPeer(accepting: true);

        peer.Send(HexFile.Read("refused-handshake.hex", "dialing side"));

        Assert.Equal(HexFile.Read("refused-handshake.hex", "accepting side"), peer.Link.Sent);
    }

    [Fact]
    public void A_steady_call_takes_80_bytes_and_the_counters_agree()
    {
        const int calls = 1_000;
        var clock = new Clock(new ManualTime());
        var (near, far) = Simulation.DirectLink.CreatePair();
        var caller = new Connection(near, new ConnectionOptions(), new RecordingOwner(), NoMethods.Instance, clock, accepting: false);
        var methods = new ProbeMethods();
        methods.Add("hr.Directory/Search").Handler = _ => s_responseBody;
        var server = new Connection(far, new ConnectionOptions(), new RecordingOwner(), methods, clock, accepting: true);
        caller.Start();
        server.Start();
        near.Connect();
        far.Connect();
        for (int i = 0; i < calls; i++)
        {
            Assert.True(caller.Initiator.TryStart(new ProbeCall(s_search), s_requestBody));
            far.Deliver();
            near.Deliver();
        }

        Assert.Equal(s_dialingHello.Length + s_define.Length + calls * 23, caller.Sent.Bytes);
        Assert.Equal(s_acceptingHello.Length + calls * 57, server.Sent.Bytes);
        Assert.Equal((server.Received.Bytes, caller.Received.Bytes), (caller.Sent.Bytes, server.Sent.Bytes));
    }
}
