namespace Mux.Description.Proto.Printing;

/// <summary>
/// Decides how a file writes its groups. In proto2 a group declares its message; a group of a message that is declared elsewhere needs the editions, where any
/// message has the same bytes.
/// </summary>
internal static class GroupForm
{
    /// <summary>True if the file must be one of an edition.</summary>
    public static bool NeedsEdition(ProtoFile file) => file.Messages.Exists(message => NeedsEdition(message, file.Syntax));

    /// <summary>Finds the field that declares a message as its group; null for other messages.</summary>
    public static ProtoField? Of(ProtoMessage nested, ProtoMessage container)
    {
        var fields = container.Fields.FindAll(field => field.Kind == FieldKind.Group && field.Message == nested);
        var name = nested.Name.ToLowerInvariant();
        return fields.Count == 1 && nested.Name[0] is >= 'A' and <= 'Z' && fields[0].Name == name ? fields[0] : null;
    }

    private static bool NeedsEdition(ProtoMessage message, ProtoSyntax syntax) => message.Messages.Exists(nested => NeedsEdition(nested, syntax))
        || message.Fields.Exists(field => field.Kind == FieldKind.Group
            && (syntax != ProtoSyntax.Proto2 || !message.Messages.Contains(field.Message!) || Of(field.Message!, message) is null));
}
