using Microsoft.CodeAnalysis.Text;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Messages.Emitting;
using Mux.Generators.Messages.Models;
using Mux.Generators.Text;
using Mux.Protobuf;

namespace Mux.Generators.Contracts.Emitting;

/// <summary>Emits the messages that the generator wraps around values, and the statements that write and read them.</summary>
internal sealed class EnvelopeEmitter(SourceWriter writer)
{
    private const string EntryType = "global::System.Collections.Generic.KeyValuePair";

    /// <summary>Emits the file of an entry that messages share.</summary>
    public static SourceText EmitFile(EnvelopeModel entry, string assembly)
    {
        var writer = SourceWriter.ForFile(assembly);
        new EnvelopeEmitter(writer).EmitType(entry);
        return writer.ToText();
    }

    /// <summary>Emits the structs and codecs of all wrappers in a message that are its own, into the class of its codec.</summary>
    public void EmitTypes(MessageModel message)
    {
        foreach (var member in message.Members)
        {
            if (member.Value is EnvelopeModel { IsShared: false } envelope) EmitType(envelope);
        }
    }

    /// <inheritdoc cref="ValueWriteEmitter.Emit"/>
    public void EmitWrite(int number, EnvelopeModel envelope, string expression)
    {
        uint tag = envelope.TagOf(number);
        var message = envelope.Message;
        var content = string.Join(
            ", ", message.Members.Select(member => $"{member.Name} = {(envelope.Form == EnvelopeForm.Entry ? $"{expression}.{member.Name}" : expression)}"));
        writer.Line(envelope.IsGroup ? $"writer.BeginGroup({tag}, \"{message.DisplayName}\");"
            : $"int mark{number} = writer.BeginMessage({tag}, \"{message.DisplayName}\");");
        writer.Line($"{message.Codec}.Write(ref writer, new {message.TypeName} {{ {content} }});");
        writer.Line(envelope.IsGroup ? $"writer.EndGroup({tag + 1});" : $"writer.EndMessage(mark{number});");
    }

    /// <inheritdoc cref="ValueReadEmitter.Emit"/>
    public void EmitRead(EnvelopeModel envelope, ReadPlace place, Func<string, string> store)
    {
        var message = envelope.Message;
        var schema = envelope.IsShared ? $"\"{CodecEmitter.SchemaOf(message)}\"" : $"{message.Codec}.Schema";
        writer.Line($"var child = reader.Enter(tag, {schema}{(envelope.Size == 0 ? string.Empty : $", {envelope.Size}")});");
        writer.Line($"var envelope = {message.Codec}.Read(ref child, {Initial(envelope, place)});");
        writer.Line("reader.Leave(in child);");
        if (message.Members.Any(member => IsCompleted(envelope, member)))
        {
            var codec = envelope.IsShared ? message.Codec + "." : string.Empty;
            writer.Line($"envelope = {codec}Complete(ref reader, envelope);");
        }

        writer.Line(store(envelope.Form == EnvelopeForm.Entry ? $"new {envelope.TypeName}(envelope.Key, envelope.Value)"
            : $"envelope.{message.Members[0].Name}"));
    }

    // Merges with an existing value, as without a wrapper.
    private static string Initial(EnvelopeModel envelope, ReadPlace place)
    {
        bool merges = envelope.Form is EnvelopeForm.Value or EnvelopeForm.Items;
        return merges ? $"new {envelope.Message.TypeName} {{ {envelope.Message.Members[0].Name} = {place.Existing} }}" : "default";
    }

    // True if a missing value must not stay null. A wrapper in an entry is left out for null, and so is null where it
    // is missing, as with protobuf-net.
    private static bool IsCompleted(EnvelopeModel envelope, MemberModel member) => envelope.Form switch
    {
        EnvelopeForm.Entry when member.Value is EnvelopeModel { Form: EnvelopeForm.Value } => false,
        EnvelopeForm.Entry => member.IsRepeated ? member.Collection?.Source != ItemSource.Span : member.Container == Container.Single && member.Value.CanBeNull,
        EnvelopeForm.Value => member.Container == Container.Nullable || member.Value is TextModel or BytesModel,
        EnvelopeForm.Items => true,
        _ => false,
    };

    private void EmitType(EnvelopeModel envelope)
    {
        var message = envelope.Message;
        if (!envelope.IsShared) EmitComplete(envelope);
        writer.Line();
        if (envelope.IsShared) writer.InternalCode();
        writer.Open($"internal struct {message.TypeName}");
        foreach (var member in message.Members) writer.Line($"public {member.TypeName}{(CanBeNull(member) ? "?" : string.Empty)} {member.Name};");
        writer.Close();
        writer.Line();
        if (envelope.IsShared) writer.InternalCode();
        CodecEmitter.Emit(writer, message, envelope.IsShared ? () => EmitComplete(envelope) : null);
    }

    private void EmitComplete(EnvelopeModel envelope)
    {
        var completed = envelope.Message.Members.Where(member => IsCompleted(envelope, member)).ToList();
        if (completed.Count == 0) return;
        var type = envelope.Message.TypeName;
        writer.Line();
        writer.Open($"{(envelope.IsShared ? "internal" : "private")} static {type} Complete(ref MessageReader message, {type} envelope)");
        foreach (var member in completed) EmitCompletion(member);
        writer.Line("return envelope;");
        writer.Close();
    }

    private void EmitCompletion(MemberModel member)
    {
        var place = "envelope." + member.Name;
        bool isSpan = member.Collection?.Source == ItemSource.Span;
        writer.Open($"if ({place}{(isSpan ? ".IsDefault" : " is null")})");
        if (member.IsRepeated) writer.Line($"{place} = {member.Collection?.MadeFor("message") ?? member.Empty};");
        else if (member.Container == Container.Nullable) writer.Line($"{place} = default({member.Value.TypeName});");
        else if (member.Value is ConvertedModel converted) writer.Line($"{place} = {SurrogateEmitter.FromNothing(converted)};");
        else
        {
            writer.Line($"uint tag = {member.TagOf(WireType.Bytes)};");
            writer.Line("var reader = message.BeginMissing(tag);");
            new ValueReadEmitter(writer).Emit(member.Value, "tag", ReadPlace.New with { IsSlot = true }, value => $"{place} = {value};");
            writer.Line("message.CountOn(in reader);");
        }

        writer.Close();
    }

    private static bool CanBeNull(MemberModel member)
    {
        bool isValueType = member.Container == Container.Nullable || member.Collection?.Source == ItemSource.Span
            || member.TypeName.EndsWith("?", StringComparison.Ordinal);
        return !isValueType && (member.IsRepeated || member.Value.CanBeNull);
    }
}
