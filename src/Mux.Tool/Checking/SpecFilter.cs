using System.Globalization;
using Mux.ProtocolCases.Running;

namespace Mux.Tool.Checking;

/// <summary>Selects cases by a row of PROTOCOL.md, or by a part of their names.</summary>
internal static class SpecFilter
{
    /// <param name="filter">Null for all.</param>
    /// <param name="name">Name of the case.</param>
    /// <param name="number">Number of its row, if the table does not name the case; null for none.</param>
    public static bool Chooses(string? filter, string name, int? number = null)
    {
        if (filter is null) return true;
        bool isRow = int.TryParse(filter, NumberStyles.None, CultureInfo.InvariantCulture, out int row);
        if (!isRow) return name.Contains(filter, StringComparison.OrdinalIgnoreCase);
        return number == row || SpecRows.All.Any(candidate => candidate.Number == row && candidate.Cases.Contains(name, StringComparer.Ordinal));
    }
}
