namespace Mux.Description.Proto;

/// <summary>A file of protobuf, with everything that Mux uses of it. Other options are not kept.</summary>
internal sealed class ProtoFile
{
    /// <summary>Gets or sets the path by which other files import it, such as <c>hr/employee.proto</c>.</summary>
    public string Name { get; set; } = string.Empty;

    /// <summary>Gets or sets the package; empty for none.</summary>
    public string Package { get; set; } = string.Empty;

    public ProtoSyntax Syntax { get; set; }

    /// <summary>Gets or sets the option <c>csharp_namespace</c>; null if there is none.</summary>
    public string? CSharpNamespace { get; set; }

    /// <summary>Gets or sets the lines of the comment before everything else, without marks; null for none.</summary>
    public string? Comment { get; set; }

    public List<ProtoImport> Imports { get; } = [];

    public List<ProtoMessage> Messages { get; } = [];

    public List<ProtoEnum> Enums { get; } = [];

    public List<ProtoService> Services { get; } = [];

    /// <summary>Gets the name of one of its types without the package: that of a nested type begins with the names around it.</summary>
    public string NameInPackage(ProtoElement type) => Package.Length == 0 ? type.FullName : type.FullName.Substring(Package.Length + 1);

    public override string ToString() => Name;
}
