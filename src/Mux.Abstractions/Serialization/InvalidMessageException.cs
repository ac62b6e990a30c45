namespace Mux.Serialization;

/// <summary>Bytes that are not the message they should be, or an object that cannot be written as one. Fails the call it belongs to and nothing else.</summary>
public sealed class InvalidMessageException : Exception
{
    /// <summary>Creates the exception.</summary>
    /// <param name="message">What is wrong, naming the message type and, where known, the field.</param>
    /// <param name="innerException">The cause, or null.</param>
    public InvalidMessageException(string message, Exception? innerException = null)
        : base(message, innerException)
    {
    }
}
