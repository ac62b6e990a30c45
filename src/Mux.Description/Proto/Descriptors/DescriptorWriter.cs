using Mux.Description.Reading;

namespace Mux.Description.Proto.Descriptors;

/// <summary>Writes a FileDescriptorSet, in the order of its fields.</summary>
internal static class DescriptorWriter
{
    /// <summary>Fields of a file.</summary>
    public const int CommentsField = 9, SyntaxField = 12, EditionField = 14;

    private const int Edition2023 = 1000;

    /// <summary>Writes a set with its comments, unless these make it exceed what readers allow.</summary>
    public static byte[] Write(ProtoSet set)
    {
        var comments = new CommentWriter();
        var bytes = Write(set, comments);
        return bytes.Length > DescriptionLimits.Bytes || comments.Lines > DescriptionLimits.CommentLines ? Write(set, null) : bytes;
    }

    /// <summary>Writes a set.</summary>
    /// <param name="set">The set.</param>
    /// <param name="comments">Writes the comments; null to leave them out.</param>
    public static byte[] Write(ProtoSet set, CommentWriter? comments)
    {
        var bytes = new WireWriter();
        foreach (var file in set.Files) bytes.Message(1, WriteFile(file, comments));
        return bytes.ToArray();
    }

    /// <summary>Writes a file.</summary>
    /// <param name="file">The file.</param>
    /// <param name="comments">Writes the comments; null to leave them out.</param>
    public static WireWriter WriteFile(ProtoFile file, CommentWriter? comments)
    {
        var bytes = new WireWriter().Text(1, file.Name).Text(2, file.Package.Length == 0 ? null : file.Package);
        foreach (var import in file.Imports) bytes.Text(3, import.Name);
        foreach (var message in file.Messages) bytes.Message(4, MessageWriter.Write(message, file.Syntax));
        foreach (var declared in file.Enums) bytes.Message(5, EnumWriter.Write(declared, file.Syntax));
        foreach (var service in file.Services) bytes.Message(6, ServiceWriter.Write(service));
        bytes.Options(8, new WireWriter().Text(37, file.CSharpNamespace));
        if (comments is not null) bytes.Options(CommentsField, comments.Write(file));
        for (int i = 0; i < file.Imports.Count; i++)
        {
            if (file.Imports[i].IsPublic) bytes.Number(10, i);
        }

        return file.Syntax switch
        {
            ProtoSyntax.Proto2 => bytes,
            ProtoSyntax.Proto3 => bytes.Text(SyntaxField, "proto3"),
            _ => bytes.Text(SyntaxField, "editions").Number(EditionField, Edition2023),
        };
    }
}
