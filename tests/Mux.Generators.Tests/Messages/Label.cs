using ProtoBuf;

namespace Mux.Generators.Tests.Messages;

/// <summary>Written as a string, without a message around it.</summary>
[ProtoContract(Surrogate = typeof(string))]
public sealed class Label
{
    public string? Text { get; init; }

    public static implicit operator string?(Label? label) => label?.Text;

    public static implicit operator Label?(string? text) => text is null ? null : new Label { Text = text };
}
