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
    private const int MaxTagSize = 5;
    private const int MaxNumberSize = 10;
    private const int Size = MaxTagSize + MaxNumberSize;

    /// <summary>Writes varints.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteVarints(this scoped ref MessageWriter writer, uint tag, ReadOnlySpan<bool> items)
    {
        var run = writer.BeginFields(Size);
        foreach (bool item in items)
        {
            if (!run.HasRoom(Size)) run = writer.Continue(run, Size);
            run.Boolean(tag, item);
        }

        writer.EndFields(run);
    }

    /// <summary>Writes varints.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteVarints(this scoped ref MessageWriter writer, uint tag, ReadOnlySpan<int> items)
    {
        var run = writer.BeginFields(Size);
        foreach (int item in items)
        {
            if (!run.HasRoom(Size)) run = writer.Continue(run, Size);
            run.Varint(tag, item);
        }

        writer.EndFields(run);
    }

    /// <summary>Writes varints.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteVarints(this scoped ref MessageWriter writer, uint tag, ReadOnlySpan<uint> items)
    {
        var run = writer.BeginFields(Size);
        foreach (uint item in items)
        {
            if (!run.HasRoom(Size)) run = writer.Continue(run, Size);
            run.Varint(tag, item);
        }

        writer.EndFields(run);
    }

    /// <summary>Writes varints.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteVarints(this scoped ref MessageWriter writer, uint tag, ReadOnlySpan<long> items)
    {
        var run = writer.BeginFields(Size);
        foreach (long item in items)
        {
            if (!run.HasRoom(Size)) run = writer.Continue(run, Size);
            run.Varint(tag, item);
        }

        writer.EndFields(run);
    }

    /// <summary>Writes varints.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteVarints(this scoped ref MessageWriter writer, uint tag, ReadOnlySpan<ulong> items)
    {
        var run = writer.BeginFields(Size);
        foreach (ulong item in items)
        {
            if (!run.HasRoom(Size)) run = writer.Continue(run, Size);
            run.Varint(tag, item);
        }

        writer.EndFields(run);
    }

    /// <summary>Writes zigzag numbers.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteZigZags(this scoped ref MessageWriter writer, uint tag, ReadOnlySpan<int> items)
    {
        var run = writer.BeginFields(Size);
        foreach (int item in items)
        {
            if (!run.HasRoom(Size)) run = writer.Continue(run, Size);
            run.ZigZag(tag, item);
        }

        writer.EndFields(run);
    }

    /// <summary>Writes zigzag numbers.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteZigZags(this scoped ref MessageWriter writer, uint tag, ReadOnlySpan<long> items)
    {
        var run = writer.BeginFields(Size);
        foreach (long item in items)
        {
            if (!run.HasRoom(Size)) run = writer.Continue(run, Size);
            run.ZigZag(tag, item);
        }

        writer.EndFields(run);
    }

    /// <summary>Writes numbers of 4 or 8 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteFixeds(this scoped ref MessageWriter writer, uint tag, ReadOnlySpan<int> items)
    {
        var run = writer.BeginFields(Size);
        foreach (int item in items)
        {
            if (!run.HasRoom(Size)) run = writer.Continue(run, Size);
            run.Fixed(tag, item);
        }

        writer.EndFields(run);
    }

    /// <summary>Writes numbers of 4 or 8 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteFixeds(this scoped ref MessageWriter writer, uint tag, ReadOnlySpan<uint> items)
    {
        var run = writer.BeginFields(Size);
        foreach (uint item in items)
        {
            if (!run.HasRoom(Size)) run = writer.Continue(run, Size);
            run.Fixed(tag, item);
        }

        writer.EndFields(run);
    }

    /// <summary>Writes numbers of 4 or 8 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteFixeds(this scoped ref MessageWriter writer, uint tag, ReadOnlySpan<long> items)
    {
        var run = writer.BeginFields(Size);
        foreach (long item in items)
        {
            if (!run.HasRoom(Size)) run = writer.Continue(run, Size);
            run.Fixed(tag, item);
        }

        writer.EndFields(run);
    }

    /// <summary>Writes numbers of 4 or 8 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteFixeds(this scoped ref MessageWriter writer, uint tag, ReadOnlySpan<ulong> items)
    {
        var run = writer.BeginFields(Size);
        foreach (ulong item in items)
        {
            if (!run.HasRoom(Size)) run = writer.Continue(run, Size);
            run.Fixed(tag, item);
        }

        writer.EndFields(run);
    }

    /// <summary>Writes numbers of 4 or 8 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteFixeds(this scoped ref MessageWriter writer, uint tag, ReadOnlySpan<float> items)
    {
        var run = writer.BeginFields(Size);
        foreach (float item in items)
        {
            if (!run.HasRoom(Size)) run = writer.Continue(run, Size);
            run.Fixed(tag, item);
        }

        writer.EndFields(run);
    }

    /// <summary>Writes numbers of 4 or 8 bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void WriteFixeds(this scoped ref MessageWriter writer, uint tag, ReadOnlySpan<double> items)
    {
        var run = writer.BeginFields(Size);
        foreach (double item in items)
        {
            if (!run.HasRoom(Size)) run = writer.Continue(run, Size);
            run.Fixed(tag, item);
        }

        writer.EndFields(run);
    }
}
