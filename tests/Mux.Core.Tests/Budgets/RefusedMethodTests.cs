using Mux.Contracts;
using Mux.Engine;
using Mux.Protocol;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Budgets;

/// <summary>Requests that are refused for what they are: of a client with a newer contract, which makes one mistake again and again, and of a peer that tries everything.</summary>
public sealed class RefusedMethodTests
{
    private const uint Calls = 20_000;

    public static TheoryData<string> Reasons => ["an unknown method", "a wrong shape", "too long", "too long, in fragments", "not allowed"];

    [Theory, MemberData(nameof(Reasons))]
    public void A_method_that_is_refused_any_number_of_times_ends_no_connection(string why)
    {
        var peer = Open(why);
        peer.Define(0, why == "an unknown method" ? "test/Nothing" : "test/Strict");
        peer.Define(1, "test/Echo");
        peer.ReadAll();
        for (uint generation = 1; generation <= Calls; generation++)
        {
            Send(peer, why, new CallId(1, generation), 0);
            var answer = ReadAnswer(peer);
            Assert.Equal((FrameKind.Fail, new CallId(1, generation)), (answer.Kind, answer.Id));
        }

        peer.Request(new CallId(2, 1), 1, [7]);
        Assert.Equal((FrameKind.Response, 7), (peer.Read() is var reply ? reply.Kind : default, reply.Payload[0]));
        Assert.Null(peer.Owner.End);
        peer.End();
    }

    [Theory, MemberData(nameof(Reasons))]
    public void Methods_that_are_defined_to_be_refused_end_the_connection_when_there_are_too_many(string why)
    {
        var peer = Open(why);
        ushort ordinal = 0;
        for (; peer.Owner.End is null && ordinal < 4_096; ordinal++)
        {
            peer.Define(ordinal, why == "an unknown method" ? $"test/Nothing{ordinal}" : "test/Strict");
            Send(peer, why, new CallId(1, ordinal + 1u), ordinal);
        }

        Assert.InRange(ordinal, (ushort)200, (ushort)300); // one for each eight is earned
        Assert.Equal(PeerLimit.Misuse, peer.Owner.End?.Limit);
        peer.End();
    }

    /// <summary>The clients of a gateway share its connection.</summary>
    [Theory, MemberData(nameof(Reasons))]
    public void Methods_that_a_gateway_has_forwarded_end_no_connection_however_many_are_refused(string why)
    {
        var peer = Open(why);
        for (ushort ordinal = 0; ordinal < 1_000; ordinal++)
        {
            peer.Define(ordinal, why == "an unknown method" ? $"test/Nothing{ordinal}" : "test/Strict");
            Send(peer, why, new CallId(1, ordinal + 1u), ordinal, isForwarded: true);
            Assert.Equal(FrameKind.Fail, ReadAnswer(peer).Kind);
        }

        Assert.Null(peer.Owner.End);
        peer.End();
    }

    /// <summary>Observers are user code, which may block: another thread would continue, and not know of the violation.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Of_the_request_that_ends_the_connection_no_observer_is_told(bool inFragments)
    {
        var peer = Open("nothing");
        var absent = new ObservedAbsence();
        peer.Methods.Others.Add(absent);
        ushort ordinal = 0;
        for (; peer.Owner.End is null && ordinal < 4_096; ordinal++)
        {
            peer.Define(ordinal, $"test/Nothing{ordinal}");
            Send(peer, inFragments ? "too long, in fragments" : "an unknown method", new CallId(1, ordinal + 1u), ordinal);
        }

        Assert.Equal(PeerLimit.Misuse, peer.Owner.End?.Limit);
        Assert.Equal(ordinal - 1, absent.Told);
        peer.End();
    }

    [Fact]
    public void Requests_that_are_given_up_at_once_before_they_are_whole_end_the_connection_when_there_are_too_many()
    {
        var peer = Open("nothing");
        peer.Define(0, "test/Echo");
        uint generation = 0;
        while (peer.Owner.End is null && generation < Calls)
        {
            peer.Begin(FrameKind.Request, new CallId(1, ++generation), 1_000, [0, 0, 0, 0]);
            peer.SendFrame(FrameKind.Cancel, new CallId(1, generation), [0]);
        }

        Assert.Equal(2_000u, generation);
        Assert.Equal(PeerLimit.PrematureCancels, peer.Owner.End?.Limit);
        peer.End();
    }

    [Fact]
    public void Requests_that_are_given_up_at_their_deadline_before_they_are_whole_end_no_connection()
    {
        var peer = Open("nothing");
        peer.Define(0, "test/Echo");
        for (uint round = 1; round <= 50; round++)
        {
            for (int slot = 1; slot <= 50; slot++) peer.Begin(FrameKind.Request, new CallId(slot, round), 1_000, [0, 0, (byte)RequestOptions.Deadline, 0, 0x40, 0x0D, 0x03, 0]); // 200 ms
            peer.Time.Advance(TimeSpan.FromMilliseconds(190)); // its way was 10 ms shorter than that of its request
            for (int slot = 1; slot <= 50; slot++) peer.SendFrame(FrameKind.Cancel, new CallId(slot, round), [(byte)CancelReason.Deadline]);
        }

        Assert.Null(peer.Owner.End);
        peer.End();
    }

    private static ScriptedPeer Open(string why)
    {
        var work = new ManualWork();
        var admission = new ProbeAdmission { Decide = static _ => Task.FromResult(new Admittance(new ProbeAccess { Allow = method => method.FullName.EndsWith("Strict", StringComparison.Ordinal) ? MuxStatus.PermissionDenied : MuxStatus.Ok }, string.Empty)) };
        var options = new ConnectionOptions { Budgets = EffectiveLimits.Of(new MuxServerOptions { Limits = { PrematureCancels = 2_000 } }).Budgets, Admission = why == "not allowed" ? admission : null, Work = work };
        var peer = new ScriptedPeer(accepting: true, options);
        peer.SendHandshake();
        if (options.Admission is not null)
        {
            peer.SendFrame(FrameKind.Auth, default, AuthCredential.Make("probe", []));
            work.RunAll();
        }

        Assert.True(peer.Owner.Opened);
        peer.ReadAll();
        peer.Methods.Add("test/Strict", maxMessage: 10);
        peer.Methods.Add("test/Echo").Handler = body => body;
        return peer;
    }

    private static void Send(ScriptedPeer peer, string why, CallId id, ushort ordinal, bool isForwarded = false)
    {
        var stream = why == "a wrong shape" ? RequestOptions.Stream : RequestOptions.None;
        var head = isForwarded ? ForwardedRequest.Head(ordinal, stream) : [(byte)ordinal, (byte)(ordinal >> 8), (byte)stream, 0];
        if (why == "too long, in fragments")
        {
            peer.Begin(FrameKind.Request, id, 20, head);
            peer.Continue(FrameKind.Request, id, new byte[20], isLast: true);
        }
        else
        {
            peer.SendFrame(FrameKind.Request, id, [.. head, .. why == "a wrong shape" ? [] : new byte[20]]);
        }
    }

    private static RawFrame ReadAnswer(ScriptedPeer peer)
    {
        while (peer.TryRead() is { } frame)
        {
            if (frame.Kind != FrameKind.Credit) return frame;
        }

        throw new InvalidOperationException("The last request is not answered.");
    }

    /// <summary>Has any name, and counts what its observers are told.</summary>
    private sealed class ObservedAbsence : InboundMethod
    {
        private static readonly MethodDescriptor s_method = new("test", "Absent", MethodShape.Unary, takesToken: false);

        public int Told { get; private set; }

        public override MethodDescriptor Descriptor => s_method;

        public override bool IsServed => false;

        public override void Invoke(in InboundCall call, ReadOnlySpan<byte> body)
        {
            OnRefused(call);
            call.Fail(MuxStatus.Unimplemented, MuxExecution.NotExecuted, Absence);
        }

        public override void OnRefused(in InboundCall call) => Told++;
    }
}
