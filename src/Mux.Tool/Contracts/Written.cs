namespace Mux.Tool.Contracts;

/// <summary>What became of a file that was to be written.</summary>
internal enum Written
{
    Same,
    Changed,
    New,
}
