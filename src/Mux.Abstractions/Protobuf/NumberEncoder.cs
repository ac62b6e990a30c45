using System.ComponentModel;
using System.Runtime.CompilerServices;
using Mux.Serialization;

namespace Mux.Protobuf;

/// <summary>
/// Writes the numbers of a list for generated code, each with a tag, or without one inside a packed block: then the tag is 0. All of it is inlined, so that
/// the tag is a constant in the loop.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class NumberEncoder
{
    private const int Boolean = 1, Varint32 = 5, Varint64 = 10, Fixed32 = 4, Fixed64 = 8;

    /// <summary>
    /// Gets the most bytes of an item. More would move a message that fits, for its last items.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int SizeOf(uint tag, int number) => tag == 0 ? number : WireSize.Varint32(tag) + number;

    /// <summary>Writes varints.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteVarints(this scoped ref MessageWriter writer, uint tag, ReadOnlySpan<bool> items)
    {
        int size = SizeOf(tag, Boolean);
        var run = writer.BeginFields(size);
        foreach (bool item in items)
        {
            if (!run.HasRoom(size)) run = writer.Continue(run, size);
            run.Boolean(tag, item);
        }

        writer.EndFields(run);
    }

    /// <summary>Writes varints.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteVarints(this scoped ref MessageWriter writer, uint tag, ReadOnlySpan<int> items)
    {
        // A negative number has 10 bytes.
        int size = SizeOf(tag, Varint64);
        var run = writer.BeginFields(size);
        foreach (int item in items)
        {
            if (!run.HasRoom(size)) run = writer.Continue(run, size);
            run.Varint(tag, item);
        }

        writer.EndFields(run);
    }

    /// <summary>Writes varints.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteVarints(this scoped ref MessageWriter writer, uint tag, ReadOnlySpan<uint> items)
    {
        int size = SizeOf(tag, Varint32);
        var run = writer.BeginFields(size);
        foreach (uint item in items)
        {
            if (!run.HasRoom(size)) run = writer.Continue(run, size);
            run.Varint(tag, item);
        }

        writer.EndFields(run);
    }

    /// <summary>Writes varints.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteVarints(this scoped ref MessageWriter writer, uint tag, ReadOnlySpan<long> items)
    {
        int size = SizeOf(tag, Varint64);
        var run = writer.BeginFields(size);
        foreach (long item in items)
        {
            if (!run.HasRoom(size)) run = writer.Continue(run, size);
            run.Varint(tag, item);
        }

        writer.EndFields(run);
    }

    /// <summary>Writes varints.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteVarints(this scoped ref MessageWriter writer, uint tag, ReadOnlySpan<ulong> items)
    {
        int size = SizeOf(tag, Varint64);
        var run = writer.BeginFields(size);
        foreach (ulong item in items)
        {
            if (!run.HasRoom(size)) run = writer.Continue(run, size);
            run.Varint(tag, item);
        }

        writer.EndFields(run);
    }

    /// <summary>Writes zigzag numbers.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteZigZags(this scoped ref MessageWriter writer, uint tag, ReadOnlySpan<int> items)
    {
        int size = SizeOf(tag, Varint32);
        var run = writer.BeginFields(size);
        foreach (int item in items)
        {
            if (!run.HasRoom(size)) run = writer.Continue(run, size);
            run.ZigZag(tag, item);
        }

        writer.EndFields(run);
    }

    /// <summary>Writes zigzag numbers.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteZigZags(this scoped ref MessageWriter writer, uint tag, ReadOnlySpan<long> items)
    {
        int size = SizeOf(tag, Varint64);
        var run = writer.BeginFields(size);
        foreach (long item in items)
        {
            if (!run.HasRoom(size)) run = writer.Continue(run, size);
            run.ZigZag(tag, item);
        }

        writer.EndFields(run);
    }

    /// <summary>Writes numbers of 4 or 8 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteFixeds(this scoped ref MessageWriter writer, uint tag, ReadOnlySpan<int> items)
    {
        int size = SizeOf(tag, Fixed32);
        var run = writer.BeginFields(size);
        foreach (int item in items)
        {
            if (!run.HasRoom(size)) run = writer.Continue(run, size);
            run.Fixed(tag, item);
        }

        writer.EndFields(run);
    }

    /// <summary>Writes numbers of 4 or 8 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteFixeds(this scoped ref MessageWriter writer, uint tag, ReadOnlySpan<uint> items)
    {
        int size = SizeOf(tag, Fixed32);
        var run = writer.BeginFields(size);
        foreach (uint item in items)
        {
            if (!run.HasRoom(size)) run = writer.Continue(run, size);
            run.Fixed(tag, item);
        }

        writer.EndFields(run);
    }

    /// <summary>Writes numbers of 4 or 8 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteFixeds(this scoped ref MessageWriter writer, uint tag, ReadOnlySpan<long> items)
    {
        int size = SizeOf(tag, Fixed64);
        var run = writer.BeginFields(size);
        foreach (long item in items)
        {
            if (!run.HasRoom(size)) run = writer.Continue(run, size);
            run.Fixed(tag, item);
        }

        writer.EndFields(run);
    }

    /// <summary>Writes numbers of 4 or 8 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteFixeds(this scoped ref MessageWriter writer, uint tag, ReadOnlySpan<ulong> items)
    {
        int size = SizeOf(tag, Fixed64);
        var run = writer.BeginFields(size);
        foreach (ulong item in items)
        {
            if (!run.HasRoom(size)) run = writer.Continue(run, size);
            run.Fixed(tag, item);
        }

        writer.EndFields(run);
    }

    /// <summary>Writes numbers of 4 or 8 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteFixeds(this scoped ref MessageWriter writer, uint tag, ReadOnlySpan<float> items)
    {
        int size = SizeOf(tag, Fixed32);
        var run = writer.BeginFields(size);
        foreach (float item in items)
        {
            if (!run.HasRoom(size)) run = writer.Continue(run, size);
            run.Fixed(tag, item);
        }

        writer.EndFields(run);
    }

    /// <summary>Writes numbers of 4 or 8 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteFixeds(this scoped ref MessageWriter writer, uint tag, ReadOnlySpan<double> items)
    {
        int size = SizeOf(tag, Fixed64);
        var run = writer.BeginFields(size);
        foreach (double item in items)
        {
            if (!run.HasRoom(size)) run = writer.Continue(run, size);
            run.Fixed(tag, item);
        }

        writer.EndFields(run);
    }
}
