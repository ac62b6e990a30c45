namespace Mux.Description.Proto.Printing;

/// <summary>
/// Decides how a file writes its groups. In proto2 a group declares its message; a group of a message that is declared elsewhere needs the editions, where any
/// message has the same bytes.
/// </summary>
internal static class GroupForm
{
    /// <summary>True if the file must be one of an edition.</summary>
    public static bool NeedsEdition(ProtoFile file) => file.Messages.Exists(message => NeedsEdition(message, file.Syntax));

    /// <summary>Finds the nested messages that fields of a message declare as their groups.</summary>
    public static HashSet<ProtoMessage> Of(ProtoMessage container)
    {
        var users = new Dictionary<ProtoMessage, ProtoField?>();
        foreach (var field in container.Fields)
        {
            if (field.Kind == FieldKind.Group) users[field.Message!] = users.ContainsKey(field.Message!) ? null : field;
        }

        return new(container.Messages.Where(nested => users.TryGetValue(nested, out var user) && user is not null && IsNameOf(user, nested)));
    }

    private static bool IsNameOf(ProtoField field, ProtoMessage group)
    {
        var name = group.Name.ToLowerInvariant();
        return group.Name[0] is >= 'A' and <= 'Z' && field.Name == name;
    }

    private static bool NeedsEdition(ProtoMessage message, ProtoSyntax syntax)
    {
        if (message.Messages.Exists(nested => NeedsEdition(nested, syntax))) return true;
        var fields = message.Fields.FindAll(static field => field.Kind == FieldKind.Group);
        if (fields.Count == 0 || syntax != ProtoSyntax.Proto2) return fields.Count > 0;
        var groups = Of(message);
        return fields.Exists(field => !groups.Contains(field.Message!));
    }
}
