namespace Mux.Generators.Tests.Messages;

/// <summary>Has no attributes and is taken as a tuple, numbered by its constructor.</summary>
public record Coin(int Cents, string? Currency)
{
    public static Coin None { get; } = new(0, null);

    internal int Unseen { get; set; }
}
