namespace Mux.Generators.Messages.Models;

/// <summary>A method of a message that is called around reading or writing.</summary>
/// <param name="Moment">Moment of the call.</param>
/// <param name="Name">Name of the method.</param>
/// <param name="ParameterTypes">C# types of its parameters.</param>
/// <param name="Arguments">C# expressions of its arguments.</param>
/// <param name="NeedsAccessor">True if it is not accessible.</param>
internal sealed record CallbackModel(
    CallbackMoment Moment, string Name, EquatableArray<string> ParameterTypes, EquatableArray<string> Arguments, bool NeedsAccessor)
{
    /// <summary>
    /// The argument for a SerializationContext: one for all messages of a codec. protobuf-net likewise has one default context, which rejects changes.
    /// </summary>
    public const string Context = "s_context";

    /// <summary>C# type of the context; null if the callback takes none.</summary>
    public string? ContextType
    {
        get
        {
            for (int i = 0; i < Arguments.Count; i++)
            {
                if (Arguments[i] == Context) return ParameterTypes[i];
            }

            return null;
        }
    }
}
