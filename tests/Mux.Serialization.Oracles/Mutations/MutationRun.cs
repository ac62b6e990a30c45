using System.Runtime.ExceptionServices;
using Google.Protobuf;
using Mux.Generators.Tests.Codecs;
using Mux.Serialization.Oracles.Differences;
using Mux.Serialization.Oracles.Shapes;
using Mux.Serialization.Oracles.Trees;

namespace Mux.Serialization.Oracles.Mutations;

/// <summary>
/// Gives mutated messages to the generated codecs, on a thread with a small stack and in memory behind which a page may not be touched. Holds that nothing but
/// <see cref="InvalidMessageException"/> comes out, that no more is allocated than the bytes allow, and that what is read and refused is what Google's library reads and refuses, but for
/// the documented differences.
/// </summary>
public sealed class MutationRun
{
    /// <summary>The stack of the thread, bytes.</summary>
    public const int StackSize = 256 * 1024;

    /// <summary>What a decoder may allocate for any input: the exception with its texts and what pools make at first. Bytes.</summary>
    public const int AllowedAtAll = 16 * 1024;

    /// <summary>What it may allocate for each byte of its input. The costliest byte is an item of a list of messages: two of them make an object and a reference.</summary>
    public const int AllowedPerByte = 100;

    private const int MaxInput = 64 * 1024;

    private readonly MutationSummary _summary = new();
    private readonly Random _random;
    private readonly SpecimenPool _pool;
    private readonly Mutator _mutator;

    private MutationRun(int seed)
    {
        _random = new Random(seed);
        _pool = new SpecimenPool(ShapeCatalog.All, _random);
        _mutator = new Mutator(_random);
    }

    /// <summary>Runs to the end or to the first failure.</summary>
    /// <param name="count">How many inputs.</param>
    /// <param name="seed">The same inputs for the same seed, if shapes and runtime are the same.</param>
    /// <param name="step">Called after so many inputs.</param>
    /// <param name="progress">Is told how far it is; on another thread.</param>
    /// <exception cref="MutationFailureException">An input was not taken as documented.</exception>
    public static MutationSummary Run(long count, int seed, long step, Action<long> progress)
    {
        var run = new MutationRun(seed);
        Exception? failure = null;
        var thread = new Thread(() => failure = run.Try(count, step, progress), StackSize) { Name = "mutations" };
        thread.Start();
        thread.Join();
        if (failure is not null) ExceptionDispatchInfo.Throw(failure); // with the stack of that thread
        return run._summary;
    }

    private Exception? Try(long count, long step, Action<long> progress)
    {
        using var memory = OperatingSystem.IsLinux() ? new GuardedMemory(MaxInput) : null;
        try
        {
            while (_summary.Inputs < count)
            {
                var (shape, message, other) = _pool.Next();
                var bytes = _mutator.Mutate(message, other, shape.Descriptor);
                if (memory is null || bytes.Length > MaxInput) Take(shape, bytes);
                else
                {
                    var guarded = memory.Last(bytes.Length);
                    bytes.CopyTo(guarded);
                    Take(shape, guarded);
                }

                if (++_summary.Inputs % step == 0) progress(_summary.Inputs);
            }

            return null;
        }
        catch (Exception failure)
        {
            return failure;
        }
    }

    private void Take(Shape shape, ReadOnlySpan<byte> bytes)
    {
        _summary.Bytes += bytes.Length;
        var ours = Read(shape, bytes);
        var differences = DifferenceScan.Find(bytes, shape.Descriptor);
        _summary.Count(differences);

        // What we refuse is not given to Google's reader: it reads on behind a type that there is not, and where the length of a packed block is negative it adds items until there is no memory.
        bool isRefused = (differences & Difference.Refused) != 0;
        var theirs = isRefused ? null : Parse(shape, bytes);
        if (isRefused)
        {
            if (ours is not null && shape.Comparison == Comparison.Always) throw new MutationFailureException(shape.Name, bytes, $"read in spite of {differences}");
            _summary.RefusedByDifference++;
        }
        else if (differences != Difference.None || shape.Comparison != Comparison.Always)
        {
            _summary.NotCompared++;
        }
        else if (ours is null != theirs is null)
        {
            throw new MutationFailureException(shape.Name, bytes, ours is null ? "refused, and Google's library reads it" : "read, and Google's library refuses it");
        }
        else if (ours is null)
        {
            _summary.RefusedAlike++;
        }
        else
        {
            Compare(shape, bytes, ours, theirs!);
            _summary.ReadAlike++;
        }
    }

    private object? Read(Shape shape, ReadOnlySpan<byte> bytes)
    {
        long allowed = AllowedAtAll + ((long)AllowedPerByte * bytes.Length);
        var read = Read(shape, bytes, out long allocated);

        // The runtime grows its table of casts (24 bytes x 4,096 entries at the end) on the thread that fills it, once. What an input costs it costs each time.
        if (allocated > allowed) read = Read(shape, bytes, out allocated);
        if (allocated > allowed) throw new MutationFailureException(shape.Name, bytes, $"{allocated} bytes allocated for {bytes.Length}");
        _summary.MostAllocated = Math.Max(_summary.MostAllocated, allocated);
        _summary.MostAllocatedPerByte = Math.Max(_summary.MostAllocatedPerByte, (double)(allocated - AllowedAtAll) / Math.Max(1, bytes.Length));
        return read;
    }

    private static object? Read(Shape shape, ReadOnlySpan<byte> bytes, out long allocated)
    {
        object? read = null;
        long before = GC.GetAllocatedBytesForCurrentThread();
        try
        {
            read = shape.Decode(bytes);
        }
        catch (InvalidMessageException)
        {
        }
        catch (Exception error)
        {
            throw new MutationFailureException(shape.Name, bytes, $"threw {error}", error);
        }

        allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        return read;
    }

    private static IMessage? Parse(Shape shape, ReadOnlySpan<byte> bytes)
    {
        try
        {
            return shape.Parse(bytes);
        }
        catch (Exception error) when (error is InvalidProtocolBufferException or IndexOutOfRangeException)
        {
            return null; // Google's reader runs beyond the end of some wrong inputs (seed 106146124): it refuses them, too
        }
    }

    private static void Compare(Shape shape, ReadOnlySpan<byte> bytes, object ours, IMessage theirs)
    {
        // Equal bytes say the same, and are found faster than trees are built. Unequal ones may as well: of a single item in a block, for example.
        if (theirs.ToByteArray().AsSpan().SequenceEqual(shape.Encode(ours))) return;
        string said = ContractTree.Of(ours, shape.Descriptor).ToString(), expected = GoogleTree.Of(theirs).ToString();
        if (said != expected) throw new MutationFailureException(shape.Name, bytes, $"says {said} and not {expected}");
    }
}
