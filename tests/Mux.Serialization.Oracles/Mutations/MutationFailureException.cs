namespace Mux.Serialization.Oracles.Mutations;

/// <summary>A mutated input that was not taken as documented.</summary>
public sealed class MutationFailureException : Exception
{
    internal MutationFailureException(string shape, ReadOnlySpan<byte> bytes, string what, Exception? innerException = null)
        : base($"{shape}: {what}: {Convert.ToHexString(bytes)}", innerException)
    {
    }
}
