using System.Diagnostics.CodeAnalysis;

namespace Mux.Description.Json;

/// <summary>What is wrong with a message or its JSON, as the end of a sentence that begins with the path.</summary>
internal sealed class JsonFault(string message) : Exception(message)
{
    [DoesNotReturn]
    public static void Throw(string message) => throw new JsonFault(message);
}
