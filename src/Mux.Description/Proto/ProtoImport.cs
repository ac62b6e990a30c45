namespace Mux.Description.Proto;

/// <summary>A file that another one names.</summary>
/// <param name="Name">Its path.</param>
/// <param name="IsPublic">True if files that import the importing one see it, too.</param>
/// <param name="Position">Where the name stands.</param>
internal sealed record ProtoImport(string Name, bool IsPublic, ProtoPosition Position);
