namespace Mux.Description.Proto;

/// <summary>Languages of a file.</summary>
internal enum ProtoSyntax
{
    /// <summary>The first one, and that of files which name none.</summary>
    Proto2,

    /// <summary>The one without required fields and defaults.</summary>
    Proto3,

    /// <summary>The one with features.</summary>
    Edition2023,
}
