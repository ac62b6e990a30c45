using Mux.ProtocolCases.Cases;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.BadInput;

/// <summary>The cases of PROTOCOL.md's table that are bytes: each for both roles, whole, byte by byte and split at every byte.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class BadInputTests
{
    /// <summary>Beyond this, an input is split near its ends and at some places in between.</summary>
    private const int MaxSplitEverywhere = 1_000;

    public static TheoryData<string, bool> Cases()
    {
        var data = new TheoryData<string, bool>();
        foreach (var badInput in BadInputCatalogue.All)
        {
            if (badInput.Accepting != false) data.Add(badInput.Name, true);
            if (badInput.Accepting != true) data.Add(badInput.Name, false);
        }

        return data;
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void In_one_piece(string name, bool accepting) => Run(BadInputCatalogue.Find(name), accepting, [int.MaxValue]);

    [Theory]
    [MemberData(nameof(Cases))]
    public void Byte_by_byte(string name, bool accepting)
    {
        var badInput = BadInputCatalogue.Find(name);
        Run(badInput, accepting, Enumerable.Repeat(1, badInput.Bytes.Length));
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void Split_at_every_byte(string name, bool accepting)
    {
        var badInput = BadInputCatalogue.Find(name);
        int length = badInput.Bytes.Length;
        for (int at = 1; at < length; at += length > MaxSplitEverywhere && at > 50 && at < length - 50 ? 997 : 1) Run(badInput, accepting, [at, int.MaxValue]);
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public void Memory_is_bounded_by_what_was_received(string name, bool accepting)
    {
        var badInput = BadInputCatalogue.Find(name);

        // The least of several times: what is allocated once in a process, or because a collection has just emptied the pool of blocks, is not the input's.
        long least = Enumerable.Range(0, 4).Min(_ => Allocations(new BadInputScene(badInput, accepting)));

        Assert.InRange(least, 0, 2 * badInput.Bytes.Length + 64 * 1024);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Another_connection_is_unharmed_by_all_of_them(bool accepting)
    {
        var bystander = ScriptedPeer.Open(accepting: true);
        bystander.Methods.Add("test/Echo").Handler = body => body;
        bystander.Define(0, "test/Echo");
        uint generation = 0;
        foreach (var badInput in BadInputCatalogue.All.Where(badInput => badInput.Accepting is null || badInput.Accepting == accepting))
        {
            Run(badInput, accepting, [badInput.Bytes.Length / 2, int.MaxValue]);
            bystander.Request(new(1, ++generation), 0, [7]);
            Assert.Equal([7], bystander.Read().Payload);
        }

        Assert.Null(bystander.Owner.End);
    }

    private static long Allocations(BadInputScene scene)
    {
        long before = GC.GetAllocatedBytesForCurrentThread();
        scene.Receive([int.MaxValue]);
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        scene.CheckReaction();
        return allocated;
    }

    private static void Run(BadInputCase badInput, bool accepting, IEnumerable<int> lengths)
    {
        var scene = new BadInputScene(badInput, accepting);
        scene.Receive(lengths);
        scene.CheckReaction();
    }
}
