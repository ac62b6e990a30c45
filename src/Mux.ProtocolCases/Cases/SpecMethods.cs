namespace Mux.ProtocolCases.Cases;

/// <summary>The methods that cases call. A peer that has only some of them is asked only the cases that do without the others.</summary>
internal static class SpecMethods
{
    /// <summary>Unary: answers with the body of its request, whatever that is.</summary>
    public const string Echo = "mux.spec/Echo";

    /// <summary>Unary: answers when its call is cancelled.</summary>
    public const string Wait = "mux.spec/Wait";

    /// <summary>Streams requests, and takes none: answers when its call is cancelled.</summary>
    public const string Up = "mux.spec/Up";

    /// <summary>Streams replies, and sends none: ends when its call is cancelled.</summary>
    public const string Down = "mux.spec/Down";

    /// <summary>Streams both ways, as the two above.</summary>
    public const string Both = "mux.spec/Both";

    /// <summary>Unary: reads a message, and answers with nothing.</summary>
    public const string Decode = "mux.spec.Messages/Decode";

    /// <summary>What nobody has.</summary>
    public const string Nowhere = "mux.spec/Nowhere";
}
