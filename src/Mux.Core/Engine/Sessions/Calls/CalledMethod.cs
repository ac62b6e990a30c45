using Mux.Contracts;

namespace Mux.Engine;

/// <summary>A method, with what each of its calls needs: thousands of methods called in turn would miss the cache for each descriptor.</summary>
internal readonly struct CalledMethod(MethodDescriptor descriptor)
{
    public MethodDescriptor Descriptor { get; } = descriptor;

    /// <inheritdoc cref="MethodDescriptor.Index"/>
    public int Index { get; } = descriptor.Index;

    /// <summary>The shape of its calls, which a gateway changes: it waits for the end of one-way calls.</summary>
    public MethodShape Shape { get; init; } = descriptor.Shape;

    /// <summary>True if its calls have a stream, in any direction.</summary>
    public bool HasStreams => (Shape & MethodShape.Duplex) != 0;

    /// <inheritdoc cref="MethodChoices.KeepsOrder"/>
    public bool KeepsOrder { get; init; } = descriptor.Choices.KeepsOrder;

    /// <summary>True if the calls of a key go to one connection, in order. A gateway is told so with the call.</summary>
    public bool IsOrdered { get; init; } = descriptor.Choices.Dispatch == MuxDispatchMode.Ordered;

    /// <inheritdoc cref="MethodChoices.MaxMessageBytes"/>
    public int MaxMessageBytes { get; } = descriptor.Choices.MaxMessageBytes;
}
