namespace Mux.ProtocolCases.Cases;

/// <summary>Methods that the cases call. A peer with only some of them gets only the cases that do not need the others.</summary>
internal static class SpecMethods
{
    /// <summary>Unary: answers with the body of its request, whatever it is.</summary>
    public const string Echo = "mux.spec/Echo";

    /// <summary>Unary: answers when its call is cancelled.</summary>
    public const string Wait = "mux.spec/Wait";

    /// <summary>Streams requests but reads none: answers when its call is cancelled.</summary>
    public const string Up = "mux.spec/Up";

    /// <summary>Streams replies but sends none: ends when its call is cancelled.</summary>
    public const string Down = "mux.spec/Down";

    /// <summary>Streams in both directions, like the two above.</summary>
    public const string Both = "mux.spec/Both";

    /// <summary>Unary: reads a message, and answers with nothing.</summary>
    public const string Decode = "mux.spec.Messages/Decode";

    /// <summary>A method that no peer has.</summary>
    public const string Nowhere = "mux.spec/Nowhere";
}
