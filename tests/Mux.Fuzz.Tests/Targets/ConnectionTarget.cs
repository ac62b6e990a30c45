using Mux.Engine;
using Mux.Runtime;

namespace Mux.Fuzz.Tests.Targets;

/// <summary>
/// A connection in the middle of its life, with calls and streams open both ways: it does the same wherever its bytes are split, decides every call, gives every buffer back and allocates no more than what came
/// allows.
/// </summary>
internal class ConnectionTarget(bool accepting) : FuzzTarget
{
    private const int FreeAllocation = 128 * 1024; // a collection may have emptied the pool of blocks
    private const int AllocationPerByte = 16; // the probes of the test keep what they are told

    public override string Name => accepting ? "connection-accepting" : "connection-dialing";

    public override IReadOnlyList<byte[]> Examples => FrameExamples.All;

    public sealed override int Run(ReadOnlySpan<byte> input, Random random)
    {
        var bytes = Translate(input);
        var whole = Receive(bytes, [bytes.Length]);
        Assert.Equal(whole.Outcome, Receive(bytes, Split(bytes.Length, random)).Outcome);
        return whole.Kind;
    }

    /// <summary>The bytes that the connection receives.</summary>
    protected virtual byte[] Translate(ReadOnlySpan<byte> input) => input.ToArray();

    private (string Outcome, int Kind) Receive(byte[] bytes, List<int> pieces)
    {
        long buffersBefore = BufferPool.Outstanding;
        var scene = new ConnectionScene(accepting);
        long before = GC.GetAllocatedBytesForCurrentThread();
        int at = 0;
        foreach (int length in pieces)
        {
            scene.Peer.Send(bytes.AsSpan(at, length));
            at += length;
        }

        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, FreeAllocation + ((long)AllocationPerByte * bytes.Length) + (pieces.Count * 1024L));
        var end = scene.Peer.Owner.End;
        var result = (scene.Describe(), HashCode.Combine(KindOf(end?.Text), end?.Reason, scene.KindOfAnswers()));
        scene.Finish();
        Assert.NotEqual(CloseReason.Internal, scene.Peer.Owner.End?.Reason);
        Assert.Equal(buffersBefore, BufferPool.Outstanding);
        return result;
    }
}
