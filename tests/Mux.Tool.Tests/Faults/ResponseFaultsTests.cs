using System.Buffers.Binary;
using Mux.TestSupport.Transports;
using Mux.Tool.Faults;

namespace Mux.Tool.Tests.Faults;

public sealed class ResponseFaultsTests
{
    private const int Request = 0x08;
    private const int Response = 0x10;

    private static readonly byte[] s_preface = [0x4D, 0x55, 0x58, 0x31, 0x0D, 0x0A, 0x1A, 0x0A];

    private readonly List<(int Kind, int Id, string Body)> _sent = [];

    public ResponseFaultsTests()
    {
        for (int id = 1; id <= FaultPlan.RepliesBefore + 10; id++)
        {
            _sent.Add((Response, id, $"body {id}"));
            if (id % 7 == 0) _sent.Add((Request, id, "not a reply"));
        }
    }

    [Fact]
    public void A_swap_exchanges_the_bodies_of_two_replies()
    {
        var arrived = Pass(Fault.Swap, split: false);

        Assert.Equal(_sent.Count, arrived.Count);
        var wrong = arrived.Where(frame => frame.Kind == Response && frame.Body != $"body {frame.Id}").ToArray();
        Assert.Equal(2, wrong.Length);
        Assert.Equal($"body {wrong[0].Id}", wrong[1].Body);
        Assert.Equal($"body {wrong[1].Id}", wrong[0].Body);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_drop_leaves_one_reply_out(bool split)
    {
        var arrived = Pass(Fault.Drop, split);

        Assert.Equal(Response, Assert.Single(_sent.Except(arrived)).Kind);
        Assert.Equal(_sent.Count - 1, arrived.Count);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_double_sends_one_reply_twice(bool split)
    {
        var arrived = Pass(Fault.Double, split);

        Assert.Equal(_sent.Count + 1, arrived.Count);
        Assert.Equal(Response, Assert.Single(arrived.GroupBy(frame => frame), copies => copies.Count() == 2).Key.Kind);
    }

    [Fact]
    public void Links_of_one_plan_commit_one_fault_between_them()
    {
        var plan = new FaultPlan(Fault.Drop);

        Assert.Equal(_sent.Count - 1, Pass(plan, split: false).Count);
        Assert.Equal(_sent.Count, Pass(plan, split: false).Count);
    }

    private List<(int Kind, int Id, string Body)> Pass(Fault fault, bool split) => Pass(new FaultPlan(fault), split);

    /// <summary>What arrives, sent at once or in random pieces.</summary>
    private List<(int Kind, int Id, string Body)> Pass(FaultPlan plan, bool split)
    {
        var sut = new ResponseFaults(plan);
        var stream = (byte[])[.. s_preface, .. _sent.SelectMany(Bytes)];
        var random = new Random(TestSeed.Next());
        List<byte> arrived = [];
        for (int at = 0; at < stream.Length;)
        {
            int length = split ? Math.Min(random.Next(1, 40), stream.Length - at) : stream.Length;
            sut.Pass(stream.AsSpan(at, length), arrived);
            at += length;
        }

        Assert.Equal(s_preface, arrived.Take(s_preface.Length));
        return Frames([.. arrived.Skip(s_preface.Length)]);
    }

    private static byte[] Bytes((int Kind, int Id, string Body) frame)
    {
        var bytes = new byte[8 + frame.Body.Length];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, frame.Body.Length | frame.Kind << 24);
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(4), frame.Id);
        System.Text.Encoding.ASCII.GetBytes(frame.Body, bytes.AsSpan(8));
        return bytes;
    }

    private static List<(int Kind, int Id, string Body)> Frames(ReadOnlySpan<byte> stream)
    {
        List<(int, int, string)> frames = [];
        while (!stream.IsEmpty)
        {
            int head = BinaryPrimitives.ReadInt32LittleEndian(stream), length = head & 0xFF_FFFF;
            frames.Add((head >> 24, BinaryPrimitives.ReadInt32LittleEndian(stream[4..]), System.Text.Encoding.ASCII.GetString(stream.Slice(8, length))));
            stream = stream[(8 + length)..];
        }

        return frames;
    }
}
