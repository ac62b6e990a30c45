using Mux.Buffers;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Buffers;

/// <summary>A thread keeps one block for itself, while it uses it.</summary>
[Collection(nameof(ProcessWideCounters))]
public sealed class ThreadBlocksTests
{
    [Fact]
    public void A_thread_gets_back_its_own_block_and_keeps_no_second()
    {
        ThreadBlocks.TryTake(); // of an earlier test
        byte[] first = new byte[ThreadBlocks.Length], second = new byte[ThreadBlocks.Length];
        Assert.True(ThreadBlocks.TryPut(first));
        Assert.False(ThreadBlocks.TryPut(second));
        Assert.Same(first, ThreadBlocks.TryTake());
        Assert.Null(ThreadBlocks.TryTake());
    }

    [Fact]
    public void A_block_that_its_thread_does_not_use_is_given_back_to_the_system()
    {
        ThreadBlocks.TryTake();
        byte[] block = new byte[ThreadBlocks.Length];
        Array.Fill(block, (byte)1);
        ThreadBlocks.TryPut(block);
        ThreadBlocks.Trim(Environment.TickCount64 - MessageArrayPool.KeptFor);
        Assert.Equal(1, block[block.Length / 2]); // used a moment ago

        ThreadBlocks.Trim(long.MaxValue);

        Assert.Null(ThreadBlocks.TryTake());
        if (OperatingSystem.IsLinux()) Assert.Equal(0, block[block.Length / 2]);
    }

    [Fact]
    public void A_block_of_a_thread_that_has_ended_is_given_back_to_the_system()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Other systems are not told.");
        byte[] block = new byte[ThreadBlocks.Length];
        Array.Fill(block, (byte)1);
        var thread = new Thread(() => ThreadBlocks.TryPut(block));
        thread.Start();
        Assert.True(thread.Join(Awaited.Patience), "Waited for the thread to end.");

        ThreadBlocks.Trim(long.MinValue);

        Assert.Equal(0, block[block.Length / 2]);
    }
}
