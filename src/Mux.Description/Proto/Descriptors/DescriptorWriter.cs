namespace Mux.Description.Proto.Descriptors;

/// <summary>Writes a FileDescriptorSet, in the order of its fields.</summary>
internal static class DescriptorWriter
{
    private const int Edition2023 = 1000;

    public static byte[] Write(ProtoSet set)
    {
        var bytes = new WireWriter();
        foreach (var file in set.Files) bytes.Message(1, WriteFile(file));
        return bytes.ToArray();
    }

    private static WireWriter WriteFile(ProtoFile file)
    {
        var bytes = new WireWriter().Text(1, file.Name).Text(2, file.Package.Length == 0 ? null : file.Package);
        foreach (var import in file.Imports) bytes.Text(3, import.Name);
        foreach (var message in file.Messages) bytes.Message(4, MessageWriter.Write(message, file.Syntax));
        foreach (var declared in file.Enums) bytes.Message(5, EnumWriter.Write(declared, file.Syntax));
        foreach (var service in file.Services) bytes.Message(6, ServiceWriter.Write(service));
        bytes.Options(8, new WireWriter().Text(37, file.CSharpNamespace));
        for (int i = 0; i < file.Imports.Count; i++)
        {
            if (file.Imports[i].IsPublic) bytes.Number(10, i);
        }

        return file.Syntax switch
        {
            ProtoSyntax.Proto2 => bytes,
            ProtoSyntax.Proto3 => bytes.Text(12, "proto3"),
            _ => bytes.Text(12, "editions").Number(14, Edition2023),
        };
    }
}
