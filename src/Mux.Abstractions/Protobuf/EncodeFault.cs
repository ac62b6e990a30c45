using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using Mux.Serialization;

namespace Mux.Protobuf;

/// <summary>Rejects objects that cannot be written, for generated code. Separate methods keep the code that writes small.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class EncodeFault
{
    /// <summary>Rejects null as a request or reply: it has no bytes and would arrive as an empty message.</summary>
    /// <exception cref="ArgumentNullException">Always.</exception>
    [DoesNotReturn]
    public static void ThrowNullMessage(string message)
    {
        throw new ArgumentNullException(paramName: null, $"{message}: null cannot be sent as a request or reply; it would arrive as an empty message.");
    }

    /// <summary>Rejects null as an argument that the contract declares as never null.</summary>
    /// <param name="argument">The method and the parameter.</param>
    /// <exception cref="ArgumentNullException">Always.</exception>
    [DoesNotReturn]
    public static void ThrowNullArgument(string argument)
    {
        throw new ArgumentNullException(
            paramName: null, $"{argument}: null cannot be sent, because the parameter is not nullable; pass a value, or declare its type nullable.");
    }

    /// <summary>Rejects null in a list: protobuf cannot express it.</summary>
    [DoesNotReturn]
    public static void ThrowNullItem(string message, string member)
    {
        throw new InvalidMessageException($"{message}.{member}: an item of the list is null, which protobuf cannot express.");
    }

    /// <summary>Rejects an object of a derived type: its additional members would be lost.</summary>
    [DoesNotReturn]
    public static void ThrowDerived(string message, object value)
    {
        throw new InvalidMessageException($"{message}: the object is a {value.GetType()}, whose own members would be lost.");
    }

    /// <summary>Rejects an object whose conversion to its surrogate returns null.</summary>
    [DoesNotReturn]
    public static void ThrowNullSurrogate(string message)
    {
        throw new InvalidMessageException($"{message}: its surrogate is null, which protobuf cannot express.");
    }

    [DoesNotReturn]
    internal static void ThrowTooDeep(string message)
    {
        throw new InvalidMessageException(
            $"{message}: messages are nested more than {MessageReader.MaxDepth} deep; if objects refer to each other in a circle, protobuf cannot express it.");
    }
}
