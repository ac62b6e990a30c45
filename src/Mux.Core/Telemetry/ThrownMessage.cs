namespace Mux.Telemetry;

/// <summary>The message of an exception of user code, which is code of the user, too.</summary>
internal static class ThrownMessage
{
    /// <summary>Gets the message, or says that it throws: what follows an exception must not depend on it.</summary>
    public static string Of(Exception error)
    {
        try
        {
            return error.Message;
        }
        catch (Exception)
        {
            return "its message cannot be read.";
        }
    }
}
