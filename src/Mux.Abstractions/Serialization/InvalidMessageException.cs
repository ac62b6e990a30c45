namespace Mux.Serialization;

/// <summary>
/// The bytes are not the expected message, or an object cannot be written as a message. Fails only the call to which the message belongs.
/// </summary>
public sealed class InvalidMessageException : Exception
{
    /// <summary>Creates the exception.</summary>
    /// <param name="message">What is wrong, with the message type and, if known, the field.</param>
    /// <param name="innerException">The cause, or null.</param>
    public InvalidMessageException(string message, Exception? innerException = null)
        : base(message, innerException)
    {
    }
}
