namespace Mux.Description.Proto;

/// <summary>Fields of which at most one is present.</summary>
internal sealed class ProtoOneof : ProtoElement;
