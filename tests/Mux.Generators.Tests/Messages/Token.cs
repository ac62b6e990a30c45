namespace Mux.Generators.Tests.Messages;

/// <summary>A tuple whose constructor has another order than its members.</summary>
public readonly struct Token
{
    public Token(string? text, int id)
    {
        Id = id;
        Text = text;
    }

    public int Id { get; }

    public string? Text { get; }
}
