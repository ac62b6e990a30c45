namespace Mux.Description.Proto.Joining;

/// <summary>Kinds of types in files.</summary>
internal enum PartKind
{
    Message,
    Proto2Message,
    Enum,
    Proto2Enum,
    Service,
}
