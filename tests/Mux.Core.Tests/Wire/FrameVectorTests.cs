using System.Security.Cryptography;
using System.Text;
using Mux.Contracts;
using Mux.Identity;
using Mux.Protocol;
using Mux.Server;
using static Mux.Core.Tests.Wire.GoldenFrame;

namespace Mux.Core.Tests.Wire;

/// <summary>Every kind of frame against bytes written by hand, both ways.</summary>
public sealed class FrameVectorTests
{
    private static readonly CallId s_call = new(1, 1);

    private static readonly PeerSettings s_settings = new()
    {
        MaxFramePayload = 32_768,
        MaxMessage = 1024 * 1024,
        MaxCalls = 1_024,
        StreamCredit = 128 * 1024,
        BulkCredit = 2 * 1024 * 1024,
        KeepAliveMilliseconds = 30_000,
        IdleMilliseconds = 300_000,
        MaxMetadata = 4_096,
        PeerName = "directory-7 ü",
        InstanceId = Guid.Parse("00112233-4455-6677-8899-aabbccddeeff"),
        MaxOrdinals = 100,
        ReadsFingerprints = true,
        ControlFrames = 10_000,
        TinyFrames = 10_000,
        PingIntervalMilliseconds = 1_000,
        PrematureCancels = 100_000,
        ReadsStreamMetadata = true,
        ReadsItemWindows = true,
        ReadsKeys = true,
        StreamWindows = 2_048,
        ReadsLeases = true,
    };

    [Fact]
    public void The_preface_is_these_eight_bytes() => Assert.Equal(HexFile.Read("preface.hex"), Preface.Bytes);

    [Theory]
    [InlineData("all settings at their defaults", false)]
    [InlineData("every setting", true)]
    public void HELLO_is_read_and_written_like_this(string section, bool every)
    {
        var settings = every ? s_settings : PeerSettings.Default;
        var frame = Read("hello.hex", section, FrameKind.Hello);

        Assert.True(HelloFrame.TryRead(frame.Payload, out var hello, out _));
        Assert.Equal(new HelloFrame(1, 1, settings), hello);
        AssertWrites("hello.hex", section, to => FrameWriter.Write(to, new HelloFrame(1, 1, settings)));
    }

    [Fact]
    public void A_challenge_is_read_and_written_like_this()
    {
        var frame = Read("auth.hex", "challenge", FrameKind.Auth);
        Assert.True(AuthChallenge.TryRead(frame.Payload, out var challenge, out _));
        Assert.Equal(["shared-key", "bearer"], challenge!.Schemes);
        AssertWrites("auth.hex", "challenge", to => FrameWriter.Write(to, challenge));
    }

    [Theory]
    [InlineData("without TLS", "")]
    [InlineData("over TLS", "certificate")]
    public void A_shared_key_is_proven_by_both_sides_like_this(string where, string certificate)
    {
        var key = new SharedKey("orders-1", [.. Enumerable.Range(0, 32).Select(at => (byte)at)]);
        var binding = certificate.Length == 0 ? [] : SHA256.HashData(Encoding.ASCII.GetBytes(certificate));
        Assert.True(AuthChallenge.TryRead(Read("auth.hex", "challenge", FrameKind.Auth).Payload, out var challenge, out _));
        var token = SharedKeyProof.Make(key, [.. Enumerable.Range(0xA0, 16).Select(at => (byte)at)], challenge!.Nonce, binding);
        AssertWrites("auth.hex", $"credential {where}", to => FrameWriter.Credential(to, AuthCredential.Make("shared-key", token)));

        var proof = SharedKeyProof.MakeAnswer(key, token, challenge.Nonce, binding);
        Assert.True(AuthAccepted.TryRead(Read("auth.hex", $"acceptance {where}", FrameKind.Auth, FrameFlags.Answer).Payload, out var accepted, out _));
        Assert.Equal((60_000u, Convert.ToHexString(proof)), (accepted!.LifetimeMilliseconds, Convert.ToHexString(accepted.Proof.Span)));
        AssertWrites("auth.hex", $"acceptance {where}", to => FrameWriter.Write(to, accepted));
    }

    [Fact]
    public void Schemes_without_a_proof_are_read_and_written_like_this()
    {
        AssertWrites("auth.hex", "no credential", to => FrameWriter.Credential(to, AuthCredential.Make(string.Empty, [])));
        AssertWrites("auth.hex", "bearer", to => FrameWriter.Credential(to, AuthCredential.Make("bearer", "token"u8)));
        Assert.True(AuthAccepted.TryRead(Read("auth.hex", "acceptance of a scheme without a proof", FrameKind.Auth, FrameFlags.Answer).Payload, out var accepted, out _));
        Assert.Equal((0u, true), (accepted!.LifetimeMilliseconds, accepted.Proof.IsEmpty));
        AssertWrites("auth.hex", "acceptance of a scheme without a proof", to => FrameWriter.Write(to, accepted));
    }

    [Theory]
    [InlineData("ping", false)]
    [InlineData("answer", true)]
    public void PING_is_read_and_written_like_this(string section, bool answer)
    {
        var frame = Read("ping.hex", section, FrameKind.Ping, answer ? FrameFlags.Answer : FrameFlags.None);

        Assert.True(PingFrame.TryRead(frame.Payload, out ulong opaque, out _));
        Assert.Equal(0x0123_4567_89AB_CDEFu, opaque);
        AssertWrites("ping.hex", section, to => FrameWriter.Ping(to, 0x0123_4567_89AB_CDEF, answer));
    }

    [Theory]
    [InlineData("drain", 13, 0, "")]
    [InlineData("error", 1, 500, "HELLO came twice")]
    public void GOAWAY_is_read_and_written_like_this(string section, int code, uint retryAfter, string text)
    {
        var expected = new GoAwayFrame((ConnectionCode)code, retryAfter, text);

        Assert.True(GoAwayFrame.TryRead(Read("goaway.hex", section, FrameKind.GoAway).Payload, out var goAway, out _));
        Assert.Equal(expected, goAway);
        AssertWrites("goaway.hex", section, to => FrameWriter.Write(to, expected));
    }

    [Fact]
    public void An_acknowledgement_is_read_and_written_like_this()
    {
        Assert.Empty(Read("goaway.hex", "acknowledgement", FrameKind.GoAway, FrameFlags.Answer).Payload);
        AssertWrites("goaway.hex", "acknowledgement", to => FrameWriter.GoAwayAcknowledgement(to));
    }

    [Theory]
    [InlineData("unary", 0, MethodShape.Unary, "hr.Directory/Search", 0, 0)]
    [InlineData("one-way", 300, MethodShape.OneWay, "hr.Audit/Note", 0, 0)]
    [InlineData("with a fingerprint", 0, MethodShape.Unary, "hr.Directory/Search", 0xEB30773F, 0x99BFADDC)]
    public void DEFINE_is_read_and_written_like_this(string section, ushort ordinal, MethodShape shape, string name, uint requests, uint replies)
    {
        var bytes = System.Text.Encoding.UTF8.GetBytes(name);
        var fingerprint = new MethodFingerprint(requests, replies);

        Assert.True(DefineFrame.TryRead(Read("define.hex", section, FrameKind.Define).Payload, out var define, out _));
        Assert.Equal((ordinal, shape, fingerprint), (define.Ordinal, define.Shape, define.Fingerprint));
        Assert.Equal(bytes, define.Name);
        AssertWrites("define.hex", section, to => FrameWriter.Write(to, new DefineFrame(ordinal, shape, bytes, fingerprint)));
    }

    [Theory]
    [InlineData(5)]
    [InlineData(6)]
    [InlineData(7)]
    [InlineData(15)]
    public void DEFINE_of_a_one_way_method_with_a_stream_is_a_protocol_error(byte shape)
    {
        byte[] payload = [0, 0, shape, 1, 2, 3, 4, 5, 6, 7, 8, (byte)'a', (byte)'/', (byte)'b'];

        Assert.False(DefineFrame.TryRead(payload, out _, out var violation));
        Assert.Equal(ConnectionCode.ProtocolError, violation!.Code);
        Assert.Contains($"shape {shape}: a one-way method has no streams", violation.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void An_answer_to_DEFINE_is_read_and_written_like_this()
    {
        var expected = new DefineAnswer(0, new MethodFingerprint(0xEB30773F, 1));

        Assert.True(DefineAnswer.TryRead(Read("define.hex", "answer", FrameKind.Define, FrameFlags.Answer).Payload, out var answer, out _));
        Assert.Equal(expected, answer);
        AssertWrites("define.hex", "answer", to => FrameWriter.Write(to, expected));
    }

    [Theory]
    [InlineData("plain", 1, 1, 0, 0, true)]
    [InlineData("deadline", 1_048_575, 4_095, 0x40, 50_000, true)]
    [InlineData("one-way without a body", 16_384, 0, 0x04, 0, false)]
    public void REQUEST_is_read_and_written_like_this(string section, int slot, uint generation, ushort options, uint deadline, bool hasBody)
    {
        var id = new CallId(slot, generation);
        var expected = new RequestHead(2, (RequestOptions)options, deadline);
        byte[] body = hasBody ? [0xAA, 0xBB, 0xCC] : [];
        var frame = Read("request.hex", section, FrameKind.Request);

        Assert.Equal((slot, generation), (frame.Id.Slot, frame.Id.Generation));
        Assert.True(RequestHead.TryRead(frame.Payload, out var head, out _));
        Assert.Equal(expected, head);
        Assert.Equal(body, frame.Payload[head.Length..]);
        AssertWrites("request.hex", section, to => FrameWriter.Request(to, id, expected, body));
    }

    [Fact]
    public void A_REQUEST_with_all_options_is_read_and_written_like_this()
    {
        var expected = new RequestHead(2, (RequestOptions)0x30F2, 1);
        const ulong Key = 0x3333_3333_3333_3333;
        var trace = new TraceContext(0x1111_1111_1111_1111, 0x1111_1111_1111_1111, 0x2222_2222_2222_2222, 1);
        var frame = Read("request.hex", "all options", FrameKind.Request);

        Assert.True(RequestHead.TryRead(frame.Payload, out var head, out _));
        Assert.Equal((expected, trace, Key), (head, head.ReadTrace(frame.Payload), head.ReadKey(frame.Payload)));
        Assert.Equal((frame.Payload.Length, RequestHead.MaxWrittenLength), (head.Length, head.Length));
        AssertWrites("request.hex", "all options", to => FrameWriter.Request(to, s_call, expected, trace, [], Key));
    }

    [Fact]
    public void CANCEL_is_read_and_written_like_this()
    {
        var frame = Read("cancel.hex", "deadline", FrameKind.Cancel);

        Assert.Equal(new CallId(7, 2), frame.Id);
        Assert.True(CancelFrame.TryRead(frame.Payload, out var reason, out _));
        Assert.Equal(CancelReason.Deadline, reason);
        AssertWrites("cancel.hex", "deadline", to => FrameWriter.Cancel(to, new CallId(7, 2), CancelReason.Deadline));
    }

    [Theory]
    [InlineData("body", new byte[] { 0xAA, 0xBB, 0xCC })]
    [InlineData("empty", new byte[0])]
    public void RESPONSE_is_read_and_written_like_this(string section, byte[] body)
    {
        var frame = Read("response.hex", section, FrameKind.Response);

        Assert.Equal(s_call, frame.Id);
        Assert.Equal(body, frame.Payload);
        AssertWrites("response.hex", section, to => FrameWriter.Response(to, s_call, body));
    }

    [Theory]
    [InlineData("text", MuxStatus.NotFound, MuxExecution.Executed, 1_000, "no employee")]
    [InlineData("bare", MuxStatus.Unavailable, MuxExecution.NotExecuted, 0, "")]
    public void FAIL_is_read_and_written_like_this(string section, MuxStatus status, MuxExecution execution, uint retryAfter, string text)
    {
        var expected = new FailFrame((byte)status, execution, retryAfter, text);

        Assert.True(FailFrame.TryRead(Read("fail.hex", section, FrameKind.Fail).Payload, out var fail, out _));
        Assert.Equal(expected, fail);
        AssertWrites("fail.hex", section, to => FrameWriter.Fail(to, s_call, expected));
    }

    [Theory]
    [InlineData("half busy", 4_096, 1_000, 63, 500)]
    [InlineData("cutting", 4_096, 1_000, 32, 1_000)]
    [InlineData("no calls", 0, 30_000, 0, 0)]
    public void LEASE_is_read_and_written_like_this(string section, uint calls, uint lifetime, int level, int utilisation)
    {
        var expected = new LeaseFrame(calls, lifetime, level, utilisation);

        Assert.True(LeaseFrame.TryRead(Read("lease.hex", section, FrameKind.Lease).Payload, out var lease, out _));
        Assert.Equal(expected, lease);
        AssertWrites("lease.hex", section, to => FrameWriter.Write(to, expected));
    }

    [Fact]
    public void Extensions_are_read_whatever_their_flags_and_id()
    {
        foreach (var (_, bytes) in HexFile.Sections("extensions.hex"))
        {
            Assert.Equal(FrameReadResult.Frame, FrameReader.Read(bytes, ProtocolConstants.MaxFramePayload, out var header, out _));
            Assert.InRange(header.Kind, FrameKind.FirstExtension, (FrameKind)0x1F);
        }
    }
}
