namespace Mux.Generators.Messages.Emitting;

/// <summary>What there is where a value is read to: the same field may come twice.</summary>
/// <param name="Existing">The C# of the value that is there, into which a message is read.</param>
/// <param name="Parts">The C# of the buffer that takes the parts of bytes; null if bytes replace what is there.</param>
/// <param name="IsSlot">Whether it takes memory of its own, which nobody has paid for yet.</param>
internal sealed record ReadPlace(string Existing, string? Parts, bool IsSlot = false)
{
    /// <summary>Nothing, as for an item of a list.</summary>
    public static ReadPlace New { get; } = new("default", null);
}
