using Mux.Generators.Messages.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Messages.Emitting;

/// <summary>Emits the calls of a message's callbacks around reading and writing.</summary>
internal static class CallbackEmitter
{
    /// <summary>Emits the context that all callbacks of the codec share.</summary>
    public static void EmitContext(SourceWriter writer, MessageModel message)
    {
        if (message.Callbacks.Select(static callback => callback.ContextType).FirstOrDefault(static type => type is not null) is not { } type) return;
        writer.Line($"private static readonly {type} {CallbackModel.Context} = new {type}();");
        writer.Line();
    }

    /// <param name="writer">Receives the code.</param>
    /// <param name="message">The message.</param>
    /// <param name="moment">Moment of the callback, if there is one.</param>
    /// <param name="target">Variable that holds the message.</param>
    public static void Emit(SourceWriter writer, MessageModel message, CallbackMoment moment, string target)
    {
        if (message.Callbacks.FirstOrDefault(callback => callback.Moment == moment) is not { } callback) return;
        var owner = message.IsStruct ? "ref " + target : target;
        var arguments = callback.NeedsAccessor ? callback.Arguments.Prepend(owner) : callback.Arguments;
        writer.Line($"{(callback.NeedsAccessor ? $"{message.Accessors}Call_{moment}" : $"{target}.{callback.Name}")}({string.Join(", ", arguments)});");
    }
}
