namespace Mux.Generators.Messages.Models;

/// <summary>A method of a message that is called around reading or writing.</summary>
/// <param name="Moment">When.</param>
/// <param name="Name">Its name.</param>
/// <param name="ParameterTypes">The C# types of its parameters.</param>
/// <param name="Arguments">The C# expressions that it is given.</param>
/// <param name="NeedsAccessor">Whether it is not accessible.</param>
internal sealed record CallbackModel(
    CallbackMoment Moment, string Name, EquatableArray<string> ParameterTypes, EquatableArray<string> Arguments, bool NeedsAccessor)
{
    /// <summary>
    /// The argument for a SerializationContext: one for all messages of a codec, as protobuf-net has one for all of which nobody set any, and refuses changes
    /// to it.
    /// </summary>
    public const string Context = "s_context";

    /// <summary>The C# type of the context; null if the callback takes none.</summary>
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
