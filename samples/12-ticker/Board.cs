using System.Globalization;
using System.Text;

namespace Ticker;

/// <summary>The last price of each share. One thread writes, any thread reads.</summary>
public sealed class Board
{
    private readonly int[] _cents = [.. Shares.Names.Select(_ => Shares.FirstPrice)];
    private long _at;

    /// <summary>How old the newest tick was when it came.</summary>
    public TimeSpan Delay => TimeSpan.FromTicks(Volatile.Read(ref _at));

    public int CentsOf(int share) => Volatile.Read(ref _cents[share]);

    public void Show(Tick tick)
    {
        Volatile.Write(ref _cents[tick.Share], tick.Cents);
        Volatile.Write(ref _at, Math.Max(0, DateTime.UtcNow.Ticks - tick.At));
    }

    /// <summary>The table as text: a line for each share, with a bar that shows how far it is from its first price.</summary>
    public string Render()
    {
        var text = new StringBuilder();
        for (int share = 0; share < Shares.Names.Count; share++)
        {
            int cents = CentsOf(share), change = cents - Shares.FirstPrice;
            var bar = new string(change < 0 ? '-' : '+', Math.Min(40, Math.Abs(change) / 25));
            text.AppendLine(CultureInfo.InvariantCulture, $"{Shares.Names[share],-6}{cents / 100m,10:N2}{change / 100m,10:+0.00;-0.00;0.00}  {bar}");
        }

        return text.ToString();
    }
}
