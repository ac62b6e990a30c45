using System.Text;
using Mux.Contracts;
using Mux.Protocol;
using Mux.ProtocolCases.Cases;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

/// <summary>What a caller is told of a FAIL, whatever stands in it.</summary>
public sealed class FailureFrameTests
{
    private static readonly MethodDescriptor s_own = new("test", "Own", MethodShape.Unary, takesToken: false);
    private static readonly MethodDescriptor s_tell = new("test", "Tell", MethodShape.OneWay, takesToken: false);
    private readonly ScriptedPeer _peer = ScriptedPeer.Open(accepting: false);

    [Theory]
    [InlineData(0)]
    [InlineData(17)]
    [InlineData(255)]
    public void An_unknown_status_is_Internal_and_keeps_its_number(byte status)
    {
        var call = _peer.Call(s_own, []);

        Fail(call.Id.Slot, status, MuxExecution.Executed, "odd"u8);

        Assert.Equal((MuxStatus.Internal, MuxExecution.Executed), (call.Failure!.Status, call.Failure.Execution));
        Assert.Contains($"unknown status {status}", call.Failure.Text, StringComparison.Ordinal);
        Assert.Contains("odd", call.Failure.Text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_long_text_is_cut()
    {
        var call = _peer.Call(s_own, []);

        Fail(call.Id.Slot, (byte)MuxStatus.NotFound, MuxExecution.Executed, Encoding.ASCII.GetBytes(new string('x', 16_000)));

        Assert.Equal(ProtocolConstants.MaxFailText, call.Failure!.Text.Length);
    }

    [Fact]
    public void A_text_that_is_no_UTF_8_is_shown_as_far_as_it_is()
    {
        var call = _peer.Call(s_own, []);

        Fail(call.Id.Slot, (byte)MuxStatus.NotFound, MuxExecution.Executed, [0x61, 0xFF, 0x62]);

        Assert.Equal("a\uFFFDb", call.Failure!.Text);
    }

    [Fact]
    public void A_typed_body_behind_the_text_is_skipped()
    {
        var call = _peer.Call(s_own, []);

        _peer.SendFrame(FrameKind.Fail, call.Id, [(byte)MuxStatus.NotFound, 2, 0, 0, 0, 0, 1, 0, (byte)'a', 1, 2, 3]);

        Assert.Equal("a", call.Failure!.Text);
    }

    [Theory]
    [InlineData(MuxExecution.NotExecuted, MuxCallPhase.Dispatch)]
    [InlineData(MuxExecution.MayHaveExecuted, MuxCallPhase.Handler)]
    [InlineData(MuxExecution.Executed, MuxCallPhase.Handler)]
    public void What_did_not_execute_failed_in_dispatch(MuxExecution execution, MuxCallPhase phase)
    {
        var call = _peer.Call(s_own, []);

        Fail(call.Id.Slot, (byte)MuxStatus.Unavailable, execution, []);

        Assert.Equal((execution, phase), (call.Failure!.Execution, call.Failure.Phase));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void The_answer_of_a_one_way_call_frees_its_slot_and_tells_nobody(bool fails)
    {
        var call = _peer.Call(s_tell, []);
        Assert.True(call.Appended);

        if (fails) Fail(call.Id.Slot, (byte)MuxStatus.NotFound, MuxExecution.Executed, []);
        else _peer.Respond(call.Id, [1, 2, 3]);

        Assert.Equal(0, _peer.Sut.Initiator.OpenCount);
        Assert.Equal((null, null), (call.Response, call.Failure));
        Assert.Null(_peer.Owner.End);
    }

    [Fact]
    public void A_reply_to_a_request_that_is_still_in_the_queue_is_taken()
    {
        _peer.StopReading();
        var call = _peer.Call(s_own, []);

        _peer.Respond(call.Id, [1]);

        Assert.Equal([1], call.Response);
        Assert.Null(_peer.Owner.End);
    }

    private void Fail(int slot, byte status, MuxExecution execution, ReadOnlySpan<byte> text) =>
        _peer.SendFrame(FrameKind.Fail, new CallId(slot, 1), [status, (byte)execution, 0, 0, 0, 0, .. Raw.U16((ushort)text.Length), .. text]);
}
